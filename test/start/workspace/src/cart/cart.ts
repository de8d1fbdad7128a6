/** One article in a cart. */
export type CartLine = {
  readonly sku: string;
  readonly unitCents: number;
  readonly quantity: number;
};

/** What a customer is about to buy. */
export type Cart = {
  readonly lines: readonly CartLine[];
};

/** Returns a cart with `quantity` more of an article; a line whose quantity falls to zero or below is removed. */
export function withArticle(cart: Cart, sku: string, unitCents: number, quantity = 1): Cart {
  const existing = cart.lines.find((line) => line.sku === sku);
  const others = cart.lines.filter((line) => line.sku !== sku);
  const total = (existing?.quantity ?? 0) + quantity;
  return { lines: total > 0 ? [...others, { sku, unitCents, quantity: total }] : others };
}
