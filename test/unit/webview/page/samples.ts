import type { ComposerView, HostMessage, ShownReply, ShownTurn } from '../../../../src/protocol/protocol.ts';

/** A reply as the host would send it; missing fields are those of a complete reply. */
export function reply(part: Partial<ShownReply> = {}): ShownReply {
  return {
    id: 'r1',
    model: 'claude-sonnet-4.5',
    state: 'complete',
    text: '',
    reasoning: '',
    startedAt: Date.now(),
    footer: [],
    details: part.footer ?? [],
    retries: [],
    ...part,
  };
}

export function turn(part: Partial<ShownReply> = {}, question: Partial<ShownTurn['question']> = {}): ShownTurn {
  const made = reply(part);
  return { id: `t-${made.id}`, question: { text: 'Why?', chips: [], ...question }, reply: made };
}

export function snapshot(turns: readonly ShownTurn[] = [], composer: Partial<ComposerView> = {}): HostMessage {
  return {
    type: 'snapshot',
    title: 'Why does applyDiscount round twice?',
    turns,
    composer: { model: 'claude-sonnet-4.5', chips: [], tokens: 0, draft: '', ...composer },
  };
}

/** An update of a reply: everything but its text. */
export function update(part: Partial<ShownReply>): HostMessage {
  const { text, reasoning, ...rest } = reply(part);
  return { type: 'reply', reply: { ...rest, length: text.length + reasoning.length } };
}

/** One chip of each kind, as the composer shows it. */
export const everyChip: ComposerView['chips'] = [
  { id: 'k1', kind: 'selection', label: 'discount.ts', detail: '12–34 · 310 tok' },
  {
    id: 'k2',
    kind: 'symbol',
    label: 'applyDiscount',
    detail: '120',
    hint: 'applyDiscount · discount.ts 12–34',
  },
  { id: 'k3', kind: 'file', label: 'src/cart/cart.ts', detail: '804' },
  { id: 'k4', kind: 'problems', label: '2 problems', detail: '48', hint: '2 problems · discount.ts 12–34' },
  { id: 'k5', kind: 'other', label: 'HEAD', detail: '9' },
];

/** A conversation with everything that the panel can show. */
export function conversation(): HostMessage {
  const selection = {
    id: 'k1',
    kind: 'selection' as const,
    label: 'src/cart/discount.ts',
    detail: '12–34',
  };
  return snapshot(
    [
      turn(
        {
          id: 'r1',
          echoedModel: 'claude-sonnet-4-5-20250929',
          reasoning: 'The function rounds **each** line.\n\n- once per line\n- once for the total',
          reasoningMs: 6_200,
          text: answer,
          retries: ['sendAgain', 'askOther'],
          footer: ['≈ $0.0061', '1,204 in', '356 out', '6.2 s', "vendor's list price"],
          details: [
            'claude-sonnet-4.5',
            "cost ≈ $0.0061 (vendor's list price)",
            '1,204 in (812 cached)',
            '356 out',
            '6.2 s',
          ],
        },
        { text: 'Explain this code. Why does it round twice?', chips: [selection] },
      ),
      turn(
        {
          id: 'r2',
          model: 'deepseek-v3.2',
          state: 'stopped',
          retries: ['askOther'],
          text: 'Here is the tax twin of the function, then a table-driven test that covers',
          footer: ['cost unknown', 'usage not reported', '2.1 s'],
          details: ['cost unknown', 'request 2026112010421177-7f3c9b22e1'],
          trouble: {
            severity: 'warning',
            title: 'Stopped after 2.1 s',
            remedy: 'The gateway may still charge for this answer.',
            facts: [],
            actions: [{ action: 'sendAgain', label: 'Send Again' }],
          },
        },
        { text: 'Write the same for tax, with tests.' },
      ),
      turn(
        {
          id: 'r3',
          model: 'gpt-5.2-pro',
          state: 'failed',
          trouble: {
            severity: 'error',
            title: "This key can't use this model",
            remedy:
              "gpt-5.2-pro isn't available to this key's group. Choose another model, or change the key's group in the console.",
            words: 'No available channel for model gpt-5.2-pro under group default',
            facts: ['503', 'model_not_found', 'request 2026112010421177'],
            actions: [
              { action: 'chooseModel', label: 'Pick a Model' },
              { action: 'sendAgain', label: 'Send Again' },
              { action: 'copyReport', label: 'Copy Report' },
            ],
          },
        },
        { text: 'And with the other one?' },
      ),
    ],
    {
      tokens: 1_334,
      draft: 'Now do it without floats',
      chips: everyChip,
    },
  );
}

const answer = `It rounds once **per line** and once for the **total**. With three lines at \`33.335\` the two results differ by a cent. Rounding the total alone is enough:

\`\`\`ts src/cart/discount.ts
@memo()
export function applyDiscount(lines: Line[], rate: number): number {
  // cents, not floats: one rounding, at the end
  const total = lines.reduce((sum, l) => sum + l.price * l.count, 0);
  if (total === null) throw new RangeError(\`no total for \${lines.length} lines, which is a rather long message\`);
  return Math.round(total * (1 - rate));
}
\`\`\`

The warning on line 21 is about the same thing: \`line\` is a float there. See [the docs](https://example.com/rounding).

## What to change

1. Round **once**
   - in \`applyDiscount\`
   - never in the loop
2. Keep cents as integers

- [x] read the code
- [ ] write a test

| mode | result | note |
|:-----|-------:|:----:|
| per line | 99.99 | ~~old~~ |
| total | 100.00 | *new* |

> Rounding is not commutative.

---

\`\`\`json
{ "rate": 0.1, "lines": [true, null, "x"] }
\`\`\`
`;
