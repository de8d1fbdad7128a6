import * as l10n from '@vscode/l10n';
import { numberText, sentences } from '../base/localization.ts';
import { isRecord, parseJson } from '../base/loose.ts';
import { replacePictures } from '../base/pictures.ts';
import type { CallOrigin, Sender } from '../chat/sending/callGate.ts';
import type { ChatRequest, ReplyEnd } from '../client/gatewayClient.ts';
import { advice, adviceText } from '../errors/advice.ts';
import { type GatewayProblem, kindFacts, mayBeCharged } from '../errors/gatewayProblem.ts';
import { finishKind, hasPictureText, unreadText } from '../reply/finishReason.ts';
import type { ToolCall } from '../reply/toolCalls.ts';

/** A part of a reply to another extension. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly input: object }
  /** Token counts with the names that VS Code's Chat reads. */
  | { readonly type: 'usage'; readonly usage: TokenCounts };

type TokenCounts = Readonly<Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', number>>;

export type LanguageReply = ReplyEnd & {
  /** The tool whose call could not be read, empty if it has no name. Then all calls were reported, as text only. */
  readonly brokenCall?: string;
  /** Whether text or reasoning was reported. */
  readonly hasArrived?: boolean;
};

/**
 * Sends a request once and reports text and reasoning as they arrive. Tool calls are reported when the reply is
 * complete and all of them can be read; those of a reply that was cut or stopped may be incomplete and are not
 * reported. A note in the text says when a call was left out because it contains the key.
 * Token counts come last.
 */
export async function streamReply(
  sender: Pick<Sender, 'send'>,
  request: ChatRequest,
  origin: CallOrigin,
  report: (part: ReplyPart) => void,
  memory: ToolCallMemory,
  signal: AbortSignal,
): Promise<LanguageReply> {
  let allReasoning = '';
  let hasArrived = false;
  const reportText = (text: string) => report({ type: 'text', text });
  const end = await sender.send(
    request,
    origin,
    ({ text, reasoning, allBefore }) => {
      hasArrived = true;
      if (reasoning !== '') {
        allReasoning += reasoning;
        report({ type: 'thinking', text: reasoning });
      }
      // Text that turns out to be reasoning was passed on already, which can't be taken back: it stays in the answer.
      const answer = (allBefore === 'text' ? allReasoning : '') + text;
      if (answer !== '') {
        reportText(replacePictures(answer, () => ''));
      }
    },
    signal,
  );
  const {
    outcome,
    unread,
    hasPicture,
    callsWithKey,
    toolCalls,
    usage: { promptTokens, completionTokens, totalTokens } = {},
  } = end;
  const calls = outcome === 'complete' ? (toolCalls ?? []).map((call) => ({ call, input: readInput(call) })) : [];
  const broken = calls.find(({ call, input }) => input === undefined || call.name === '');
  for (const note of [
    unread !== undefined && unreadText(),
    hasPicture && hasPictureText(),
    outcome === 'complete' &&
      callsWithKey !== undefined &&
      l10n.t(
        "Tool calls that were omitted because they contained this connection's key: {0}.",
        numberText(callsWithKey),
      ),
    broken && calls.map(({ call }) => `${call.name}(${call.arguments})`).join('\n'),
  ]) {
    if (note) {
      reportText(`\n\n${note}\n`);
    }
  }
  for (const { call, input = {} } of broken ? [] : calls) {
    report({ type: 'toolCall', id: memory.remember(call, allReasoning, request.model), name: call.name, input });
  }
  if (promptTokens !== undefined && completionTokens !== undefined) {
    const total_tokens = totalTokens ?? promptTokens + completionTokens;
    report({
      type: 'usage',
      usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens },
    });
  }
  return { ...end, hasArrived, ...(broken && { brokenCall: broken.call.name }) };
}

/** Parses the arguments of a call; none means an empty object. @returns undefined when they are not a JSON object. */
function readInput({ arguments: text }: ToolCall): object | undefined {
  const value = text.trim() === '' ? {} : parseJson(text);
  return isRecord(value) ? value : value === null ? {} : undefined;
}

/** What belongs to a call on the wire but has no field in `vscode.lm`. */
export type CallFacts = {
  /** Exact id of the model that made the call. */
  readonly model: string;
  /** The model's reasoning before the call; some models require it to be sent back with the call (wire Q59). */
  readonly reasoning?: string;
  /** See `ToolCall.extra`. */
  readonly extra?: object;
};

const maxCalls = 1_000;

/**
 * Remembers the tool calls that models made in this window, by the id the caller received. Some models reject the next
 * request unless everything that came with a call is sent back, which not every caller can store. In memory only; the
 * oldest calls are dropped beyond 1,000.
 */
export class ToolCallMemory {
  readonly #calls = new Map<string, CallFacts>();

  factsOf(id: string): CallFacts | undefined {
    return this.#calls.get(id);
  }

  /** @returns the id for the caller: the model's own, or a new one if the model gave none or one already in use. */
  remember({ id, extra }: ToolCall, reasoning: string, model: string): string {
    // The strictest vendor accepts nothing but nine letters and digits.
    const other = crypto.randomUUID().replaceAll('-', '').slice(0, 9);
    const unique = id === undefined || this.#calls.has(id) ? other : id;
    this.#calls.set(unique, { model, ...(reasoning !== '' && { reasoning }), ...(extra && { extra }) });
    const [oldest = ''] = this.#calls.keys();
    if (this.#calls.size > maxCalls) {
      this.#calls.delete(oldest);
    }
    return unique;
  }
}

/**
 * Makes the failure to throw after a reply, with the same text as in the panel. A reply that reached its length limit
 * is not a failure: its text is usable, and the API has no field for the limit.
 *
 * @returns undefined when the reply is complete or was stopped. The codes are those of `vscode.LanguageModelError`.
 */
export function replyFailure(
  { outcome, problem, finishReason, brokenCall, requestId, usage, hasArrived = false }: LanguageReply,
  asked: { readonly model: string; readonly host: string },
) {
  const request = requestId ?? problem?.requestId;
  const evidence = request === undefined ? undefined : l10n.t('Request ID: {0}.', request);
  if (brokenCall !== undefined) {
    const why =
      brokenCall === ''
        ? l10n.t('The model called a tool, but the gateway sent no name of it.')
        : finishKind(finishReason) === 'limit'
          ? l10n.t('The answer reached its length limit in the middle of a call to the tool {0}.', brokenCall)
          : l10n.t("The model called the tool {0} with arguments that aren't a JSON object.", brokenCall);
    const effect = l10n.t('No tool was called. The text of the call is at the end of the answer.');
    return { message: sentences(why, effect, evidence) };
  }
  if (outcome === 'complete' || outcome === 'stopped') {
    return undefined;
  }
  const found: GatewayProblem = problem ?? { kind: 'cut' };
  const { code } = kindFacts(found.kind);
  const said = advice(found, { ...asked, hasArrived });
  const isPaid = mayBeCharged(found, hasArrived || usage !== undefined);
  const charge = isPaid && l10n.t('The gateway may have charged for this call.');
  const words = found.words && found.words !== said.title && l10n.t('Gateway message: {0}', found.words);
  return { code, message: sentences(adviceText(said), charge, evidence, words) };
}
