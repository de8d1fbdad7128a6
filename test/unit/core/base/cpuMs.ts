/**
 * The CPU time in milliseconds that this process spends on some work. Unlike elapsed time, it isn't affected by other
 * load on the machine. For limits that only code with the wrong time complexity exceeds; speed itself is measured in
 * test/bench.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The CPU time in milliseconds of some work that does the same each time. It runs up to twice more while it takes longer
 * than the limit, because the first time includes compiling it, and what else runs on the machine makes it slower.
 */
export function leastCpuMs(limitMs: number, work: () => void): number {
  let ms = cpuMs(work);
  for (let time = 0; time < 2 && ms >= limitMs; time++) {
    ms = Math.min(ms, cpuMs(work));
  }
  return ms;
}
