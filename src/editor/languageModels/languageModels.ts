import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { ShortTurns } from '../../core/base/shortTurns.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import { pause } from '../../core/http/retry.ts';
import { countMessageTokens, countTokens } from '../../core/languageModel/countTokens.ts';
import { type PartReading, readMessage } from '../../core/languageModel/languageMessage.ts';
import { type LanguageReply, type ReplyPart, streamReply } from '../../core/languageModel/languageReply.ts';
import { chatRequestOf, type LanguageRequest } from '../../core/languageModel/languageRequest.ts';
import { ModelOffer, type OfferPorts } from '../../core/languageModel/modelOffer.ts';
import type { OfferedModel } from '../../core/languageModel/offeredModels.ts';
import { type ReplyFailure, replyFailure } from '../../core/languageModel/replyFailure.ts';
import { ToolCallMemory } from '../../core/languageModel/toolCallMemory.ts';
import type { Log } from '../ui/log.ts';
import { plainMarkdownLines } from '../ui/plainText.ts';
import type { CallerConsent } from './callerConsent.ts';
import { callerOf, ThinkingPart } from './laterReleases.ts';
import { plainOffer } from './plainOffer.ts';

export type LanguageModelDeps = {
  readonly catalogue: OfferPorts['catalogue'];
  readonly clock: Clock;
  readonly log: Log;
  /** Id of the connection in use. */
  readonly connectionId: () => string | undefined;
  readonly findSender: FindSender;
  /** From now on the connection's gateway is not asked for token counts. */
  readonly forgoUsage: (connectionId: string) => Promise<void>;
  readonly ensureConnected: () => Promise<boolean>;
  readonly consent: CallerConsent;
};

/**
 * VS Code hands on parts in batches, and an error that arrives together with the last of them takes their place: text
 * that was paid for would be gone.
 */
const beforeErrorMs = 100;

/** VS Code asks every provider when any extension wants a model: a slow gateway must not hold all of them up. */
const patienceMs = 5_000;

/**
 * The gateway's models for VS Code's Chat, its agents and other extensions. One request of theirs is one POST, never
 * repeated; what it holds and what comes back is neither kept nor logged.
 */
export class LanguageModels implements vscode.LanguageModelChatProvider<OfferedModel>, vscode.Disposable {
  readonly #deps: LanguageModelDeps;
  readonly #store = new DisposableStore();
  readonly #offer: ModelOffer;
  /** Nine letters and digits, which is what the pickiest vendor takes for the id of a call. */
  readonly #memory = new ToolCallMemory(() => crypto.randomUUID().replaceAll('-', '').slice(0, 9));
  readonly #running = new Set<AbortController>();
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

  constructor(deps: LanguageModelDeps) {
    this.#deps = deps;
    const onDefect = (error: unknown) => deps.log.defect('The list of models could not be read', error);
    this.#offer = this.#store.add(new ModelOffer({ ...deps, onDefect }));
    this.onDidChangeLanguageModelChatInformation = this.#offer.onDidChange;
  }

  async provideLanguageModelChatInformation(
    { silent }: vscode.PrepareLanguageModelChatModelOptions,
    token: vscode.CancellationToken,
  ): Promise<OfferedModel[]> {
    if (!silent && !(await this.#deps.ensureConnected())) {
      return [];
    }
    return this.#abortable(token, async (signal) => {
      const models = await this.#offer.find(signal, silent ? patienceMs : undefined);
      const { advice } = this.#deps.catalogue.state;
      if (!silent && models.length === 0 && advice) {
        throw new Error(plainMarkdownLines(`${advice.title}. ${advice.remedy}`));
      }
      return new ShortTurns(this.#deps.clock).run(plainOffer(models));
    });
  }

  async provideLanguageModelChatResponse(
    model: OfferedModel,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const failure = await this.#abortable(token, (signal) =>
      this.#respond(
        model,
        {
          model: model.id,
          messages: messages.map((message) => readMessage(message, reading)),
          tools: options.tools ?? [],
          isToolRequired: options.toolMode === vscode.LanguageModelChatToolMode.Required,
          modelOptions: options.modelOptions,
        },
        callerOf(options),
        (part) => {
          const shown = responsePart(part);
          if (shown) {
            progress.report(shown);
          }
        },
        signal,
      ),
    );
    if (failure) {
      throw failure;
    }
  }

  async provideTokenCount(
    _model: OfferedModel,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return typeof text === 'string' ? countTokens(text) : countMessageTokens(readMessage(text, reading));
  }

  /** Ends what runs. */
  dispose(): void {
    for (const abort of this.#running) {
      abort.abort();
    }
    this.#store.dispose();
  }

  /** @returns what the caller is to be told when it did not end well. */
  async #respond(
    { connectionId, detail }: OfferedModel,
    wanted: LanguageRequest,
    caller: string | undefined,
    report: (part: ReplyPart) => void,
    signal: AbortSignal,
  ): Promise<Error | undefined> {
    const { log, clock, findSender } = this.#deps;
    const made = chatRequestOf(wanted, (id) => this.#memory.factsOf(id));
    if (!made.ok) {
      return new Error(made.reason);
    }
    const refusal = await this.#deps.consent.refusal(caller, detail);
    if (refusal !== undefined) {
      return vscode.LanguageModelError.NoPermissions(`${refusal} Nothing was sent.`);
    }
    if (connectionId !== this.#deps.connectionId()) {
      // What is meant for one gateway goes to no other.
      return vscode.LanguageModelError.NotFound(
        `${wanted.model} was a model of another connection than the one in use now. Nothing was sent.`,
      );
    }
    const found = await findSender();
    if (signal.aborted) {
      return new vscode.CancellationError();
    }
    if (!found.ok) {
      return vscode.LanguageModelError.NoPermissions(`${found.reason} Nothing was sent.`);
    }
    const startedAt = clock.now();
    let reply: LanguageReply;
    try {
      reply = await streamReply(found.sender, made.request, report, this.#memory, signal);
    } catch (error) {
      // A sender answers with data; whatever it throws is a mistake of ours.
      log.defect('A request of another extension failed', error);
      reply = { outcome: 'failed', problem: { kind: 'defect' } };
    }
    log.info(summary(wanted.model, caller ?? 'an extension', reply, clock.now() - startedAt));
    if (reply.outcome === 'stopped') {
      return new vscode.CancellationError();
    }
    if (reply.problem?.kind === 'usageOptionRejected') {
      await this.#deps.forgoUsage(connectionId);
    }
    const { advice } = await import('../../core/errors/advice.ts');
    const { host } = found.sender;
    const failure = replyFailure(reply, (problem, hasArrived) =>
      advice(problem, { model: wanted.model, host, hasArrived }),
    );
    if (failure === undefined) {
      return undefined;
    }
    await pause(clock, beforeErrorMs, signal).catch(() => undefined);
    return this.#errorOf(failure);
  }

  #errorOf({ code, message }: ReplyFailure): Error {
    // VS Code's Chat shows it as Markdown.
    const text = plainMarkdownLines(this.#deps.log.redact(message));
    return code ? vscode.LanguageModelError[code](text) : new Error(text);
  }

  async #abortable<T>(token: vscode.CancellationToken, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) {
      abort.abort();
    }
    this.#running.add(abort);
    try {
      return await run(abort.signal);
    } finally {
      this.#running.delete(abort);
      subscription.dispose();
    }
  }
}

const reading: PartReading = {
  isThinking: (part) => ThinkingPart !== undefined && part instanceof ThinkingPart,
  base64: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
};

/** @returns undefined for reasoning where there is no class for it: as text it would be taken for the answer. */
function responsePart(part: ReplyPart): vscode.LanguageModelResponsePart | undefined {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'thinking':
      return ThinkingPart && new ThinkingPart(part.text);
    case 'toolCall':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    default:
      return part satisfies never;
  }
}

/** One line for a person who compares with the gateway's own log: no content. */
function summary(model: string, caller: string, reply: LanguageReply, ms: number): string {
  const { outcome, problem, usage, finishReason, requestId, brokenCall, callsWithKey } = reply;
  return [
    `Asked for ${caller}: ${model}`,
    problem ? `${outcome} (${problem.kind})` : outcome,
    brokenCall && 'a call of a tool could not be read',
    callsWithKey !== undefined && `tool calls left out because the key was in them: ${callsWithKey}`,
    finishReason && `finish reason ${finishReason}`,
    usage && `${usage.promptTokens ?? 'unknown'} tokens in, ${usage.completionTokens ?? 'unknown'} out`,
    requestId && `request ${requestId}`,
    `${Math.round(ms)} ms`,
  ]
    .filter(Boolean)
    .join(', ');
}
