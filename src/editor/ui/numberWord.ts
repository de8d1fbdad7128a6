/** `three`: small numbers as a sentence has them. */
export function numberWord(count: number): string {
  return ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][count] ?? String(count);
}
