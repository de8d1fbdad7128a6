import type { Cart, CartLine } from './cart.ts';

/** A rule that takes something off the price of a cart. Amounts are in cents. */
export type Discount =
  | { readonly kind: 'percentage'; readonly percent: number; readonly upTo?: number }
  | { readonly kind: 'everyNthFree'; readonly sku: string; readonly n: number }
  | { readonly kind: 'voucher'; readonly code: string; readonly cents: number; readonly expires: Date };

/** The amount taken off, in cents: never more than the price of the cart. */
export function discountOf(cart: Cart, discounts: readonly Discount[], now: Date): number {
  const subtotal = cart.lines.reduce((sum, line) => sum + line.unitCents * line.quantity, 0);
  let remaining = subtotal;
  for (const discount of inOrder(discounts)) {
    remaining -= Math.min(remaining, amountOf(discount, cart.lines, remaining, now));
  }
  return subtotal - remaining;
}

/** Sorts discounts as the terms of sale say: free items first, then percentages of the rest, vouchers last. */
function inOrder(discounts: readonly Discount[]): readonly Discount[] {
  const rank = { everyNthFree: 0, percentage: 1, voucher: 2 };
  return [...discounts].sort((a, b) => rank[a.kind] - rank[b.kind]);
}

function amountOf(discount: Discount, lines: readonly CartLine[], remaining: number, now: Date): number {
  switch (discount.kind) {
    case 'percentage': {
      const cents = Math.round((remaining * discount.percent) / 100);
      return Math.min(cents, discount.upTo ?? cents);
    }
    case 'everyNthFree': {
      const line = lines.find(({ sku }) => sku === discount.sku);
      return line ? Math.floor(line.quantity / discount.n) * line.unitCents : 0;
    }
    case 'voucher':
      return discount.expires > now ? discount.cents : 0;
  }
}
