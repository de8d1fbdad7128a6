"""Prints the revenue of each week and how it moved, from a CSV with the columns date, sku, quantity, unit_cents."""

import csv
import sys
from collections import defaultdict
from datetime import date


def weekly_revenue(rows):
    """Revenue in cents by (ISO year, ISO week)."""
    totals = defaultdict(int)
    for row in rows:
        year, week, _ = date.fromisoformat(row["date"]).isocalendar()
        totals[year, week] += int(row["quantity"]) * int(row["unit_cents"])
    return dict(sorted(totals.items()))


def with_change(totals):
    """Each week with its change against the week before, as a fraction; None for the first one."""
    previous = None
    for week, cents in totals.items():
        yield week, cents, (cents - previous) / previous if previous else None
        previous = cents


if __name__ == "__main__":
    with open(sys.argv[1], newline="") as file:
        for (year, week), cents, change in with_change(weekly_revenue(csv.DictReader(file))):
            arrow = "" if change is None else f"  {change:+.1%}"
            print(f"{year}-W{week:02}  {cents / 100:>10.2f}{arrow}")
