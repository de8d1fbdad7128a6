import { type DailyLimits, Limiter, type LimiterPorts } from '../../../../src/core/usage/limits.ts';

export const unlimited: DailyLimits = { hard: {}, soft: {}, othersPercent: 100 };

/** A limiter without limits, and without prices. */
export function openLimiter(
  ledger: ReturnType<LimiterPorts['ledger']>,
  clock: LimiterPorts['clock'],
  ports: Partial<LimiterPorts> = {},
): Limiter {
  return new Limiter({
    ledger: () => ledger,
    clock,
    limits: () => unlimited,
    pricesOf: async () => () => undefined,
    warn: () => undefined,
    notes: { read: () => undefined, write: async () => undefined },
    onDefect: () => undefined,
    ...ports,
  });
}
