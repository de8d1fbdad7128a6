/** A length of time for a person: seconds below two minutes, then minutes. */
export function durationText(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms / 1_000));
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
