/**
 * What a piece of work cost this process in milliseconds of its processors: a machine that is busy with something else
 * makes the work late, and not dearer. For limits that only work of the wrong order passes; how fast something is, is
 * measured in test/bench.
 */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
