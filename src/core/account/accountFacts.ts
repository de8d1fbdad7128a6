/** Money or quota as a gateway counts it. */
export type AccountAmount = {
  /** Below zero when the account is overdrawn. */
  readonly amount: number;
  /** `USD`, `CNY`, `tokens` or the gateway's own sign; left out when nothing says what is counted. */
  readonly unit?: string;
};

/** What a gateway says of a key on an endpoint that its service's document does not name. */
export type AccountFacts = {
  /** Which dialect answered. */
  readonly source: 'new-api' | 'one-api' | 'openrouter' | 'deepseek' | 'moonshot' | 'litellm';
  readonly remaining?: AccountAmount;
  readonly used?: AccountAmount;
  /** The key has no limit of its own; what the account holds may still end. */
  readonly unlimited?: true;
  /** Unix milliseconds. */
  readonly expiresAt?: number;
  /** Left out where the endpoint answers for keys that may not be used as well. */
  readonly keyStatus?: 'valid' | 'expired' | 'exhausted' | 'disabled';
  /** What the key is called in the gateway's console. */
  readonly name?: string;
};

/** The facts in a line for a person, with where they are from. A sum without a known unit gets no currency. */
export function accountWords({ remaining, used, unlimited, expiresAt, keyStatus, name }: AccountFacts): string {
  const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString().slice(0, 10);
  const left =
    remaining === undefined
      ? undefined
      : remaining.amount < 0
        ? `overdrawn by ${sumOf({ ...remaining, amount: -remaining.amount })}`
        : `${sumOf(remaining)} left`;
  const isUnitOpen = [remaining, used].some((sum) => sum !== undefined && sum.unit === undefined);
  const said = [
    name !== undefined && `key “${name}”`,
    keyStatus === 'expired' && `expired${until ? ` on ${until}` : ''}`,
    keyStatus === 'exhausted' && 'used up',
    keyStatus === 'disabled' && 'disabled',
    left,
    unlimited && 'no limit on the key',
    used && `${sumOf(used)} used`,
    isUnitOpen && 'unit not stated',
    keyStatus !== 'expired' && until && `good until ${until}`,
  ].filter((each) => typeof each === 'string');
  return `${said.join(' · ') || 'key accepted'}, reported by an undocumented endpoint`;
}

function sumOf({ amount, unit }: AccountAmount): string {
  const maximumFractionDigits = Math.abs(amount) < 1 ? 4 : 2;
  const number = amount.toLocaleString('en-US', { maximumFractionDigits });
  return unit === undefined ? number : `${number} ${unit}`;
}
