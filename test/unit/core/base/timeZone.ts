/** Runs code as on a machine in this time zone. */
export async function inTimeZone(zone: string, run: () => void | Promise<void>): Promise<void> {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    await run();
  } finally {
    if (before === undefined) {
      delete process.env.TZ;
    } else {
      process.env.TZ = before;
    }
  }
}
