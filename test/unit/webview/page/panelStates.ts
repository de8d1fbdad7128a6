import type { FoundView, HostMessage, ShownReply, ShownTurn } from '../../../../src/protocol/protocol.ts';
import { drawnPicture } from '../../drawnPicture.ts';
import type { PanelPage } from './panelPage.ts';
import { conversation, everyChip, reply, snapshot, turn } from './samples.ts';

/** A state of the panel: the host's messages, and then what the person does, that lead to it. */
export type PanelState = readonly (HostMessage | ((panel: PanelPage) => Promise<void>))[];

/** Leads the panel to a state. */
export async function leadTo(panel: PanelPage, state: PanelState): Promise<void> {
  await panel.draw(...state.filter((step) => typeof step !== 'function'));
  for (const act of state.filter((step) => typeof step === 'function')) {
    await act(panel);
  }
}

const long = 'vendor-with-a-name/model-with-a-very-long-name-that-goes-on-2026-11-20:thinking';
const chinese = '解释这段代码为什么会把每一行的金额分别四舍五入，然后又把总额四舍五入一次。';
const running = (part: Partial<ShownReply>) => turn({ id: 'live', startedAt: 1_763_600_000_000, ...part });

const keepOne = 'Keep one answer to continue.';
const refused = {
  severity: 'error' as const,
  title: "This key can't use this model",
  remedy: 'Pick another model.',
  facts: ['503', 'model_not_found'],
  actions: [{ action: 'chooseModel' as const, label: 'Choose Model…' }],
};

function ended(state: ShownReply['state'], part: Partial<ShownReply> = {}): HostMessage {
  return snapshot([turn({ state, text: 'Some of it.', footer: ['cost unknown', 'usage not reported'], ...part })]);
}

const folder = 'src/a/rather/long/path/to/the/folder/of/the/file';

/** Types a name after `#`, and answers what it finds. */
async function find(panel: PanelPage, rows: readonly FoundView[]): Promise<void> {
  await panel.page.locator('textarea').fill('');
  await panel.page.locator('textarea').pressSequentially('Why #c');
  const requests = (await panel.posted()).flatMap((each) => (each.type === 'findContext' ? each.request : []));
  await panel.send({ type: 'found', request: requests.at(-1) ?? 0, rows });
}

/** Types `/`, and answers with prompts. */
async function findPrompts(panel: PanelPage, rows: readonly FoundView[]): Promise<void> {
  await panel.page.locator('textarea').fill('');
  await panel.page.locator('textarea').pressSequentially('/');
  const requests = (await panel.posted()).flatMap((each) => (each.type === 'findPrompts' ? each.request : []));
  await panel.send({ type: 'found', request: requests.at(-1) ?? 0, rows });
}

async function listFiles(panel: PanelPage): Promise<void> {
  await panel.send({
    type: 'files',
    replyId: 'r1',
    blocks: [
      { block: 0, files: [{ path: 'src/a.ts', isNew: false }] },
      { block: 1, files: [{ path: `${folder}/b.ts`, isNew: true }] },
    ],
  });
}

const pictureId = '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5';
const pictures = [1, 2, 3, 4, 5].map((number) => `${pictureId}${number}.${number === 3 ? 'svg' : 'png'}`);

export const panelStates: Readonly<Record<string, PanelState>> = {
  'a list with one row': [
    snapshot([]),
    (panel) => find(panel, [{ id: 'file', kind: 'file', label: 'cart.ts', detail: '' }]),
  ],
  'a question in a large context window': [
    snapshot([], { draft: 'Why?', tokens: 890, window: { size: 1_000_000, prompt: 995_904 } }),
  ],
  'files of an answer': [
    snapshot([turn({ id: 'r1', text: '```ts\na\n```\n\n```ts\nb\n```' })]),
    { type: 'openChanges', blocks: [] },
    listFiles,
  ],
  'files of an answer with open changes': [
    snapshot([turn({ id: 'r1', text: '```ts\na\n```\n\n```ts\nb\n```' })]),
    { type: 'openChanges', blocks: [{ replyId: 'r1', block: 0 }] },
    listFiles,
  ],
  'pictures of an answer': [
    snapshot([
      turn({
        text: [...pictures.map((name) => `![](picture:${name})`), `![Chart](picture:${pictures[0]})`].join('\n\n'),
      }),
    ]),
    async (panel) => {
      await panel.page.locator('.answerPicture').first().waitFor();
      await panel.nextPosted();
      const [drawn = '', damaged = '', svg = '', gone = ''] = pictures;
      await panel.send(
        { type: 'picture', name: drawn, base64: drawnPicture(600, 200) },
        { type: 'picture', name: damaged, base64: 'iVBORw0KGgo=' },
        { type: 'picture', name: svg, base64: 'PHN2Zy8+' },
        { type: 'picture', name: gone },
      );
      // The browser finds the damage some time after the pictures are drawn, in their order.
      const shown = panel.page.locator('.answerPicture');
      await shown.nth(2).locator('.quietButton').waitFor();
      await shown.nth(1).locator('img').waitFor({ state: 'detached' });
    },
  ],
  'a review of a question': [
    snapshot([], {
      draft: 'Why does the upload fail with 403?',
      tokens: 130,
      chips: [
        {
          id: 'k1',
          kind: 'file',
          label: '.env.local',
          detail: '98 tok',
          warning: 'Contains what looks like a secret',
        },
      ],
      runningReply: 's1',
      review: {
        id: 'v1',
        title: `Send this question to ${long}?`,
        objections: [
          '.env.local, line 3 looks like a password.',
          'This question was meant for gateway.example, but the active connection is another.example.',
          "Estimated cost: $0.20–$0.60. You're asked above $0.25 (setting askModel.confirmPrice). Up to $0.75, you won't be asked again in this conversation.",
        ],
        answers: [
          { answer: 'mask', label: 'Mask and Send', hint: 'Masked, the model gets placeholders.' },
          { answer: 'send', label: 'Send As Is' },
          { answer: 'choose', label: 'Choose What to Send…' },
          { answer: 'neverScan', label: 'Never for This File' },
        ],
      },
    }),
  ],
  'an answer that names files': [
    snapshot([turn({ text: 'See src/a.ts:12, [the other](b.ts) and `src/my files/c.ts`, not src/gone.ts.' })]),
    (panel) => {
      const found = ['src/a.ts', 'b.ts', 'src/my files/c.ts'];
      return panel.send({ type: 'places', paths: [...found, 'src/gone.ts'], found });
    },
  ],
  'a question that does not fit': [
    snapshot([turn({ text: 'An answer.', note: 'Left out: 3 earlier questions, notes.md' })], {
      draft: 'Why?',
      tokens: 8_900,
      window: { size: 8_192, prompt: 6_144 },
    }),
  ],
  'no question and no model': [snapshot([], { model: undefined as never })],
  'a draft with context': [
    snapshot([], {
      host: 'gateway.example',
      draft: 'Why?\nAnd how?',
      tokens: 12_345,
      chips: Array.from({ length: 7 }, (_, index) => ({
        id: `k${index}`,
        kind: 'selection' as const,
        label: `src/a/rather/long/path/to/the/file-${index}.ts`,
        detail: '12–34 · 310 tok',
      })),
    }),
  ],
  'parameters and a model that can reason': [
    snapshot([], {
      host: 'gateway.example',
      parameters: {
        label: 'effort: high · temperature: 0.2 · up to 4,000 tokens · top_p, seed',
        hint: 'effort: high · m',
      },
    }),
  ],
  'a system prompt and instructions': [
    snapshot([], {
      host: 'gateway.example',
      systemPrompt: { label: 'System prompt', detail: `${long} · 310 tok`, hint: 'Answer briefly.\nIn French.' },
      chips: [{ id: 'i', kind: 'instructions', label: 'AGENTS.md', detail: '120 tok' }],
    }),
  ],
  'a list of context': [
    snapshot([turn({ text: 'An answer.' })], { host: 'gateway.example' }),
    (panel) =>
      find(panel, [
        {
          id: 'selection',
          kind: 'selection',
          label: 'Selection',
          detail: `${folder}/cart.ts · lines 3–9`,
          size: '≈ 310 tokens',
        },
        { id: 'problems', kind: 'problems', label: 'Problems in File (3)', detail: 'cart.ts', size: '≈ 90 tokens' },
        {
          id: 'symbol',
          kind: 'symbol',
          label: 'amountOf',
          detail: 'function · src/cart.ts',
          size: '≈ 120 tokens',
        },
        { id: 'folder', kind: 'folder', label: 'cart/', detail: 'src', size: '6 files · ≈ 4,800 tokens' },
        { id: 'search', kind: 'symbol', label: 'Symbols in Workspace…', detail: 'ca', isSearch: true },
        ...Array.from({ length: 12 }, (_, index) => ({
          id: `file:${index}`,
          kind: 'file' as const,
          label: `cart-${index}-with-a-name-that-is-longer-than-others.test.ts`,
          detail: folder,
          size: '≈ 310 tokens',
        })),
      ]),
  ],
  'a list of prompts': [
    snapshot([turn({ text: 'An answer.' })], { host: 'gateway.example' }),
    (panel) =>
      findPrompts(panel, [
        { id: 'prompt:explain', kind: 'prompt', label: '/explain', detail: 'Explain the selected code' },
        {
          id: 'prompt:own',
          kind: 'prompt',
          label: '/a-name-of-a-prompt-that-is-longer-than-others',
          detail: 'A description that is longer than the list is wide, because it says all that the prompt does',
        },
      ]),
  ],
  'the calls of a conversation': [
    snapshot([turn({ text: 'An answer.' })], {
      calls: { text: '12 calls, $0.042 (1 not priced)', hint: `${long}: 11 calls, 4K tokens\nb: 1 call, 200 tokens` },
    }),
  ],
  waiting: [snapshot([running({ state: 'waiting' })], { runningReply: 'live' })],
  'streaming reasoning': [
    snapshot([running({ state: 'streaming', reasoning: 'First, **what** is it?\n\n- one' })], {
      runningReply: 'live',
    }),
    async ({ page }) => page.locator('summary').first().click(),
  ],
  'streaming a table': [
    snapshot([running({ state: 'streaming', text: 'So:\n\n| a | b |\n|---|---|\n| 1 | `x' })], {
      runningReply: 'live',
    }),
  ],
  'everything at once': [conversation(), async ({ page }) => page.locator('summary').first().click()],
  'an answer with another model name': [
    ended('complete', { model: long, echoedModel: `${long}-other`, retries: ['sendAgain', 'askOther'] }),
  ],
  stopped: [
    ended('stopped', {
      trouble: {
        severity: 'warning',
        title: 'Stopped after 2.1 s',
        remedy: 'The gateway may still charge for this answer.',
        facts: [],
        actions: [{ action: 'sendAgain', label: 'Send Again (New Paid Call)' }],
      },
    }),
  ],
  'the details of an answer': [
    snapshot([turn({ text: 'An answer.', footer: ['under $0.001', '1,204 in', '356 out', '6.2 s'] })]),
    ({ page }) => page.locator('.facts').click(),
  ],
  'failed, with every action': [
    ended('failed', {
      text: '',
      trouble: {
        severity: 'error',
        title: 'The key was rejected',
        remedy: 'Replace it, or look at it in the console.',
        words: '无效的令牌 (request id: 2026112010421177)',
        facts: ['401', 'invalid_api_key'],
        actions: (
          [
            'replaceKey',
            'editAddress',
            'chooseModel',
            'checkConnection',
            'sendAgain',
            'showLog',
            'newConversation',
            'copyReport',
          ] as const
        ).map((action) => ({ action, label: `Do ${action}` })),
      },
    }),
  ],
  'waiting to send again': [
    ended('failed', {
      text: '',
      trouble: {
        severity: 'error',
        title: 'Rate limit reached',
        remedy: 'Wait, then send again.',
        facts: ['429'],
        actions: [{ action: 'sendAgain', label: 'Send Again (New Paid Call)' }],
        waitUntil: Date.now() + 3_600_000,
      },
    }),
  ],
  'context of every kind': [snapshot([], { chips: everyChip, tokens: 1_291 })],
  'side by side': [
    snapshot(
      [
        sideBySide([
          { state: 'waiting' },
          { state: 'streaming', text: 'It rounds once per line.\n\n```ts\nconst a' },
          { text: 'Twice.', footer: ['8 in'], retries: ['sendAgain', 'askOther'] },
          { state: 'failed', model: long, trouble: refused },
        ]),
      ],
      { runningReply: 'c1', runningReplies: 2, due: keepOne, draft: 'And?' },
    ),
  ],
  'side by side, with a choice due': [
    snapshot(
      [
        sideBySide([
          { text: 'Once.', footer: ['8 in'] },
          { text: 'Twice.', footer: ['cost unknown'] },
        ]),
      ],
      {
        due: keepOne,
      },
    ),
    async (panel) => {
      await typeAndEnter(panel, 'And?');
      await panel.page.locator('.refusal', { hasText: keepOne }).waitFor();
    },
  ],
  'a chosen answer': [
    snapshot([
      { ...turn({ text: 'Once.' }), canCompare: true, replies: { at: 1, of: 3, next: 'r2' } },
      sideBySide([{ text: 'Once.' }, { text: 'Twice.' }], true),
    ]),
  ],
  'a question that was not sent': [
    snapshot([turn({ text: 'An answer.' })]),
    async (panel) => {
      await typeAndEnter(panel, 'And then?');
      const sent = (await panel.posted()).find((message) => message.type === 'send');
      if (sent === undefined) {
        throw new Error('Nothing was sent.');
      }
      await panel.send({ type: 'notSent', sendId: sent.sendId, reason: 'There is no key for this connection.' });
      await panel.page.locator('.refusal', { hasText: 'no key' }).waitFor();
    },
  ],
  'a switched connection': [
    snapshot([turn({ text: 'An answer.' })], {
      switched: {
        host: 'two.example',
        text: 'Until now with one.example. The next question sends all of it to two.example, which charges for it.',
        canSwitchBack: true,
      },
    }),
  ],
  'a question to compare': [
    snapshot([], {
      draft: 'Which is right?',
      tokens: 200,
      model: 'gpt-5.2',
      compared: {
        models: ['gpt-5.2', 'claude-sonnet-4.5', 'meta-llama/llama-3.3-70b-instruct-turbo'],
        prices: [],
      },
    }),
  ],
  'editing an earlier question': [
    snapshot([turn({ text: 'An answer.', retries: ['sendAgain', 'askOther'] })], { editing: 't-r1', draft: 'Why?' }),
  ],
  'several questions and answers': [
    snapshot([
      {
        ...turn({ text: 'An answer.', retries: ['sendAgain', 'askOther'] }),
        replies: { at: 2, of: 3, previous: 'r0', next: 'r2' },
        questions: { at: 1_001, of: 1_002, previous: 't5', next: 't6' },
      },
    ]),
  ],
  'Chinese text': [
    snapshot(
      [
        turn(
          {
            text: `## ${chinese}\n\n${chinese.repeat(4)}\n\n| ${chinese} | ${chinese} |\n|---|---|\n| 一 | 二 |`,
            reasoning: chinese,
            footer: ['费用未知', '输入 1,204', '输出 356', '6.2 秒'],
            retries: ['sendAgain', 'askOther'],
          },
          { text: chinese },
        ),
      ],
      { draft: chinese },
    ),
  ],
  'words without a break': [
    snapshot(
      [
        turn(
          { text: 'x'.repeat(2_000), footer: ['y'.repeat(300)], details: ['y'.repeat(300), 'r'.repeat(300)] },
          { text: 'z'.repeat(500) },
        ),
      ],
      {
        model: long,
        draft: 'w'.repeat(400),
      },
    ),
  ],
  'an answer that ended while it was shown': [
    snapshot([running({ state: 'streaming', text: 'Half of' })], { runningReply: 'live' }),
    { type: 'delta', replyId: 'live', text: ' it.', reasoning: '' },
    { type: 'reply', reply: updateOf({ id: 'live', state: 'complete', text: 'Half of it.', footer: ['8 in'] }) },
    { type: 'composer', composer: { chips: [], tokens: 3, draft: '' } },
  ],
};

/** Types first, because Enter sends nothing right after the focus has moved to the box. */
async function typeAndEnter({ page }: PanelPage, text: string): Promise<void> {
  await page.locator('textarea').fill(text);
  await page.locator('textarea').press('Enter');
}

function sideBySide(parts: readonly Partial<ShownReply>[], isChosen = false): ShownTurn {
  const columns = parts.map((part, index) => ({
    reply: reply({ id: `c${index + 1}`, model: `model-${index + 1}`, startedAt: 1_763_600_000_000, ...part }),
    ...(isChosen && index === 0 && { isChosen: true as const }),
  }));
  return { ...turn({ id: 'c' }, { text: 'Which?' }), columns };
}

function updateOf(part: Partial<ShownReply>) {
  const { text, reasoning, ...rest } = reply(part);
  return { ...rest, length: text.length + reasoning.length };
}
