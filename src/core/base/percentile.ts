/** The smallest of the values that so large a share of them doesn't exceed: the median for 0.5. Undefined without values. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1];
}
