/**
 * `npm run shots`: takes the pictures of the README in a real VS Code, in a light and a dark theme, into docs/pictures.
 * A gateway on this machine gives the answers, whose costs come from the vendors' list prices.
 */
import { cpSync, mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { ListServer } from './gateway/listServer.ts';
import { chooseInMenu } from './ui/support/chooseInMenu.ts';
import {
  chooseModel,
  comparisonPanel,
  connect,
  openWithExtension,
  typeQuestion,
} from './ui/support/connectedWorkbench.ts';
import { pressEnter } from './ui/support/pressEnter.ts';
import { readSettings } from './ui/support/readSettings.ts';
import { projectRoot } from './vscode/paths.ts';
import { makeTemporary, removeTemporary } from './vscode/temporary.ts';
import { themes } from './vscode/themes.ts';

const models = [
  ...['claude-haiku-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5', 'deepseek-chat', 'deepseek-reasoner'],
  ...['gemini-2.5-flash', 'gemini-2.5-pro', 'gpt-4.1-nano', 'gpt-5-mini', 'gpt-5.1', 'mistral-large-latest'],
];

const explained = `\`amountOf\` says how much **one discount** takes off, in cents:

- \`percentage\`: a share of what is left, rounded to a cent, and never more than \`upTo\`.
- \`everyNthFree\`: \`⌊quantity / n⌋\` free pieces of one line of the cart; 0 if the article isn't in it.
- \`voucher\`: its whole amount until it expires, then 0.

\`discountOf\` in \`src/cart/discount.ts:11\` takes care that the sum is never more than the price of the cart.

A voucher that expires exactly \`now\` counts as expired. If that isn't meant:

\`\`\`ts
return discount.expires >= now ? discount.cents : 0;
\`\`\`
`;

/** What each model answers in the comparison. */
const compared: Readonly<Record<string, string>> = {
  'gpt-5.1':
    'Sort by `rank`, then by `kind`:\n\n```ts\n[...discounts].sort(\n  (a, b) => rank[a.kind] - rank[b.kind],\n);\n```\n\nThe sort is **stable**, so equal kinds keep their order.',
  'claude-sonnet-4-5':
    'It is correct as it is. `sort` is stable since ES2019, so two vouchers keep the order in which they were given.\n\nThe copy with `[...discounts]` matters: `sort` changes its array.',
};

const answer: RequestListener = async (request, response) => {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
    return;
  }
  const { model, messages } = (await json(request)) as { model: string; messages: { content: string }[] };
  const question = messages.at(-1)?.content ?? '';
  if (question.startsWith('Rename')) {
    response.writeHead(402, { 'content-type': 'application/json', 'x-request-id': 'req_20261126a7' });
    const error = { message: 'Insufficient balance: the wallet is empty.', code: 'insufficient_quota' };
    response.end(JSON.stringify({ error }));
    return;
  }
  const text = question.startsWith('Is the order') ? (compared[model] ?? '') : explained;
  const chunk = (more: object) => `data: ${JSON.stringify({ id: 'chatcmpl-1', model, ...more })}\n\n`;
  const usage = {
    prompt_tokens: Math.round(question.length / 3.6),
    completion_tokens: Math.round(text.length / 3.6),
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }));
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
};

const pictures = join(projectRoot, 'docs', 'pictures');
mkdirSync(pictures, { recursive: true });
const server = new ListServer(answer);
const address = await server.listen();
for (const theme of ['light', 'dark'] as const) {
  const folder = makeTemporary('workspace');
  cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
  const workbench = await openWithExtension({
    folder,
    viewport: { width: 1320, height: 835 },
    settings: { 'workbench.colorTheme': themes[theme], 'editor.fontSize': 13 },
  });
  const { page } = workbench;
  const row = (text: string) => workbench.treeRows.filter({ hasText: text }).first();
  /** Without the title of the window, which names a temporary folder, and with the mouse where nothing has a hover. */
  const take = async (name: string) => {
    await workbench.run('notifications.clearAll');
    await page.locator('.statusbar-item', { hasText: 'Connected' }).waitFor({ state: 'detached' });
    await page.mouse.move(700, 832);
    // Buttons that make a paid call don't take a second click for a second.
    await page.waitForTimeout(1_200);
    await page.screenshot({
      path: join(pictures, `${name}-${theme}.png`),
      clip: { x: 0, y: 35, width: 1320, height: 800 },
    });
  };
  try {
    await connect(workbench, address, 'sk-shots-0123456789abcdef');
    await row('gpt-5-mini').waitFor();
    const [connection] = readSettings(workbench)['askModel.connections'] as object[];
    await workbench.set({ 'askModel.connections': [{ ...connection, name: 'My Gateway', probes: false }] });
    await chooseModel(workbench, 'claude-opus-4-5');
    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(25, 38);
    await workbench.start('askModel.explainSelection');
    const panel = await workbench.webview('Explain this code');
    await panel.locator('.reply .facts', { hasText: '$' }).waitFor();
    await panel.locator('.markdown a[href="#"]').first().waitFor();
    await take('ask');

    await panel.locator('textarea').fill('Rename amountOf, please.');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.trouble').waitFor();
    await take('error');
    await workbench.run('workbench.action.closeActiveEditor');

    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(20, 23);
    await row('claude-sonnet-4-5').click();
    await workbench.webview('New Conversation');
    await row('gpt-5.1').click({ modifiers: ['ControlOrMeta'] });
    await chooseInMenu(workbench, row('claude-sonnet-4-5'), 'Compare Models');
    await typeQuestion(await comparisonPanel(workbench), 'Is the order of two vouchers defined here?');
    const columns = await workbench.webview('Is the order');
    await columns.locator('.facts', { hasText: '$' }).nth(1).waitFor();
    await workbench.run('workbench.action.closeEditorsInOtherGroups');
    await take('compare');

    await workbench.start('askModel.showUsage');
    const usage = await workbench.webview('Usage');
    await usage.getByRole('row', { name: /^claude-opus-4-5 / }).waitFor();
    await take('usage');
  } finally {
    await workbench.dispose();
    removeTemporary(folder);
  }
}
server.close();
