"""Sample code for measuring the estimate of tokens; nothing runs it."""

from __future__ import annotations

import argparse
import csv
import json
import logging
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Iterable, Iterator

logger = logging.getLogger(__name__)

LINE_PATTERN = re.compile(r"^(?P<host>\S+) - - \[(?P<time>[^\]]+)\] \"(?P<method>[A-Z]+) (?P<path>\S+)[^\"]*\" (?P<status>\d{3}) (?P<size>\d+|-)$")
MAX_LINE_LENGTH = 8_192


class ParseError(ValueError):
    """Raised when a line of the log doesn't have the expected format."""

    def __init__(self, line_number: int, line: str) -> None:
        super().__init__(f"line {line_number}: unexpected format: {line[:80]!r}")
        self.line_number = line_number


@dataclass(frozen=True, slots=True)
class Request:
    host: str
    time: datetime
    method: str
    path: str
    status: int
    size: int = 0

    @property
    def is_error(self) -> bool:
        return self.status >= 400


@dataclass
class Summary:
    total: int = 0
    errors: int = 0
    bytes_sent: int = 0
    by_path: Counter[str] = field(default_factory=Counter)
    by_hour: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, request: Request) -> None:
        self.total += 1
        self.bytes_sent += request.size
        self.by_path[request.path] += 1
        self.by_hour[request.time.hour] += 1
        if request.is_error:
            self.errors += 1

    def error_rate(self) -> float:
        return self.errors / self.total if self.total else 0.0


def parse_lines(lines: Iterable[str], *, strict: bool = False) -> Iterator[Request]:
    """Yield one request for each line; skip or reject what can't be parsed."""
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\n")
        if not line or len(line) > MAX_LINE_LENGTH:
            continue
        match = LINE_PATTERN.match(line)
        if match is None:
            if strict:
                raise ParseError(number, line)
            logger.warning("skipping line %d: %r", number, line[:40])
            continue
        size = match["size"]
        yield Request(
            host=match["host"],
            time=datetime.strptime(match["time"], "%d/%b/%Y:%H:%M:%S %z"),
            method=match["method"],
            path=match["path"].split("?", 1)[0],
            status=int(match["status"]),
            size=0 if size == "-" else int(size),
        )


def moving_average(values: list[float], window: int = 7) -> list[float]:
    if window < 1:
        raise ValueError("window must be at least 1")
    result: list[float] = []
    running = 0.0
    for index, value in enumerate(values):
        running += value
        if index >= window:
            running -= values[index - window]
        result.append(running / min(index + 1, window))
    return result


def dijkstra(graph: dict[str, dict[str, float]], start: str) -> dict[str, float]:
    import heapq

    distances = {start: 0.0}
    queue = [(0.0, start)]
    while queue:
        distance, node = heapq.heappop(queue)
        if distance > distances.get(node, float("inf")):
            continue
        for neighbor, weight in graph[node].items():
            candidate = distance + weight
            if candidate < distances.get(neighbor, float("inf")):
                distances[neighbor] = candidate
                heapq.heappush(queue, (candidate, neighbor))
    return distances


def write_report(summary: Summary, target: Path, top: int = 10) -> None:
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["path", "requests", "share"])
        for path, count in summary.by_path.most_common(top):
            writer.writerow([path, count, f"{count / summary.total:.2%}"])
    print(json.dumps({"total": summary.total, "errorRate": round(summary.error_rate(), 4), "bytes": summary.bytes_sent}, indent=2))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Summarize an access log.")
    parser.add_argument("log", type=Path, help="the log to read")
    parser.add_argument("--top", type=int, default=10, metavar="N")
    parser.add_argument("--since", type=lambda text: datetime.fromisoformat(text), default=None)
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO)
    since = args.since or datetime.now().astimezone() - timedelta(days=30)
    summary = Summary()
    try:
        with args.log.open(encoding="utf-8", errors="replace") as file:
            for request in parse_lines(file):
                if request.time >= since:
                    summary.add(request)
    except OSError as error:
        print(f"error: {error.strerror}: {args.log}", file=sys.stderr)
        return 2
    write_report(summary, args.log.with_suffix(".csv"), args.top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
