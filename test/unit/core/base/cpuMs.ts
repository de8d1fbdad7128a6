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
 * The least CPU time in milliseconds of three runs of some work that does the same each time. The first includes
 * compiling it, and what else runs on the machine makes any of them slower.
 */
export function leastCpuMs(work: () => void): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(work)));
}
