import { readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { ListServer } from '../gateway/listServer.ts';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { companion, openWorkbench, type Workbench, type WorkbenchOptions } from '../vscode/workbench.ts';

/** A real VS Code with the built extension, which the companion has connected. */
export type Opened = {
  readonly workbench: Workbench;
  /** Runs a command of the companion, and returns what it writes. */
  figuresOf<Figures>(command: string, limitMs?: number): Promise<Figures>;
};

type Options = Partial<WorkbenchOptions> & {
  readonly answer?: RequestListener;
  /** A text of the list of models once it is there. */
  readonly row?: string;
};

/** Opens VS Code beside a gateway, in a temporary folder unless one is given, and closes all of it afterwards. */
export async function inVSCode<Result>(
  { answer = answerBriefly, row = 'brief', env, ...options }: Options,
  measure: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const server = new ListServer(answer);
  const folder = options.folder ?? makeTemporary('workspace');
  const file = join(makeTemporary('bench'), 'figures.json');
  let workbench: Workbench | undefined;
  try {
    const opened = await openWorkbench({
      folder,
      extensionDevelopmentPaths: [projectRoot, join(import.meta.dirname, 'companion'), companion],
      ...options,
      env: { ASK_MODEL_BENCH_URL: await server.listen(), ASK_MODEL_BENCH_FILE: file, ...env },
    });
    workbench = opened;
    await opened.treeRows.filter({ hasText: row }).first().waitFor({ timeout: 60_000 });
    return await measure({
      workbench: opened,
      figuresOf: async (command, limitMs = 30_000) => {
        rmSync(file, { force: true });
        await opened.runCommand(command);
        await until(async () => void JSON.parse(readFileSync(file, 'utf8')), limitMs);
        return JSON.parse(readFileSync(file, 'utf8'));
      },
    });
  } finally {
    await workbench?.dispose();
    server.close();
    removeTemporary(folder);
    rmSync(file, { force: true });
  }
}

/** A gateway with one model, which answers at once. */
export const answerBriefly: RequestListener = (request, response) => {
  request.resume();
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'brief', object: 'model' }] }));
    return;
  }
  const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_741_570_283, model: 'brief' };
  const event = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${event({ content: 'Yes, it does.' }, null)}${event({}, 'stop')}data: [DONE]\n\n`);
};

/** The longest time that the extension host was blocked, and of it on the processor. */
export type BlockedTimes = { readonly longestMs: number; readonly longestOnProcessorMs: number };
