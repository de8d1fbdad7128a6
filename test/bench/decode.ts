import type { RequestListener } from 'node:http';
import { ListServer } from '../gateway/listServer.ts';
import { amount, type Bench, type Figures, inRounds, medianRatio, rounded } from './bench.ts';
import type { Call, Contender } from './contenders.ts';
import { Program } from './program.ts';
import { firstEvent, lastEvents, type StreamKind, streamOf } from './replies.ts';

/** The number of chunks of a reply that arrives in bulk. */
const bulkChunks = amount(50_000, 500);
const rounds = amount(15);

const ours = 'Ask Model, whole client';
const bytesAlone = 'undici, bytes not parsed';
const parser = 'undici + eventsource-parser + JSON.parse';
const openai = 'openai client';
const aiSdk = '@ai-sdk/openai-compatible, streamText';

/** Measures 50,000 chunks that arrive in bulk: the cost of decoding, including the request and the end. */
export async function decode(bench: Bench): Promise<void> {
  bench.title = `decode: ${bulkChunks.toLocaleString('en')} chunks in bulk, median of ${rounds} rounds`;
  const race = async (kind: StreamKind, names: readonly Contender[]) => {
    const { body, units } = streamOf(bulkChunks, kind);
    const bytes = Buffer.from(body);
    const answer: RequestListener = (_, response) => {
      for (let at = 0; at < bytes.length; at += 65_536) {
        response.write(bytes.subarray(at, at + 65_536));
      }
      response.end();
    };
    const figures = await compete(names, answer, units, { warmUp: amount(10), counted: rounds });
    const timesFaster = (name: Contender) => medianRatio(figures.of(name), figures.of(ours));
    for (const contender of names) {
      const ms = figures.median(contender);
      bench.rows.push({
        chunks: kind,
        contender,
        'chunks/s': Math.round(bulkChunks / (ms / 1_000)),
        ms: rounded(ms),
        'its time / ours': rounded(timesFaster(contender)),
      });
    }
    return timesFaster;
  };
  const same = await race('same', [ours, 'Ask Model, reader on undici', bytesAlone, parser, openai, aiSdk]);
  const chinese = await race('chinese', [ours, parser, openai]);
  // Each chunk has a different id. The result is shown but has no limit.
  await race('different', [ours, parser, openai]);
  bench.atLeast(`speed over ${parser}`, same(parser), 0.85, '×');
  bench.atLeast('speed over the openai client', same(openai), 4, '×');
  bench.atLeast(`speed over ${parser}, Chinese`, chinese(parser), 0.85, '×');
}

/** Measures the time to the first text on an open connection. The first bytes of raw undici are the lower bound. */
export async function firstToken(bench: Bench): Promise<void> {
  const [counted, calls] = [amount(40), amount(5)];
  bench.title = `first-token: time to the first text, median of ${counted * calls}`;
  const answer: RequestListener = (_, response) => {
    response.write(firstEvent);
    // After enough time to read the first.
    setTimeout(() => response.end(lastEvents), 3);
  };
  const names: readonly Contender[] = [bytesAlone, ours, 'fetch + eventsource-parser + JSON.parse', openai, aiSdk];
  const figures = await compete(names, answer, 'Hello'.length, { warmUp: amount(20), counted }, calls);
  const first = (name: Contender) => figures.median(`${name}, first`);
  for (const contender of names) {
    const over = rounded(first(contender) - first(bytesAlone), 3);
    bench.rows.push({ contender, ms: rounded(first(contender), 3), 'over undici, ms': over });
  }
  bench.atMost('first text over raw undici', first(ours) - first(bytesAlone), 0.2);
}

/**
 * Lets all contenders make calls in turn (ABC, ABC, …) at one server, first to warm up and then for the figures: the
 * time of each call under the contender's name, and the time to its first text. Each must read a text of `units`.
 */
async function compete(
  names: readonly Contender[],
  answer: RequestListener,
  units: number,
  rounds: { readonly warmUp: number; readonly counted: number },
  calls = 1,
): Promise<Figures> {
  const server = new ListServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    answer(request, response);
  });
  const baseUrl = await server.listen();
  const field = names.map((name) => ({ name, program: new Program('contenders.ts', name, baseUrl) }));
  const figures = await inRounds(rounds, async (figures) => {
    for (const { name, program } of field) {
      for (const call of await program.ask<Call[]>(calls)) {
        if (call.units !== units && name !== bytesAlone) {
          throw new Error(`${name} has not read all of the text`);
        }
        figures.add(name, call.totalMs);
        figures.add(`${name}, first`, call.firstMs);
      }
    }
  });
  for (const { program } of field) {
    program.end();
  }
  server.close();
  return figures;
}
