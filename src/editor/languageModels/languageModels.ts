import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { sentences } from '../../core/base/localization.ts';
import type { Senders } from '../../core/chat/sending/callGate.ts';
import { pause } from '../../core/client/gatewayClient.ts';
import { adviceText } from '../../core/errors/advice.ts';
import {
  type LanguageReply,
  type ReplyPart,
  replyFailure,
  streamReply,
  ToolCallMemory,
} from '../../core/languageModel/languageReply.ts';
import {
  chatRequestOf,
  type PartReading,
  readMessage,
  rejectsReasoning,
  wireMessages,
  wireName,
} from '../../core/languageModel/languageRequest.ts';
import { ModelOffer, type OfferedModel } from '../../core/languageModel/offeredModels.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { estimateRequest } from '../../core/usage/estimateRequest.ts';
import type { Log } from '../ui/log.ts';
import { signalOf } from '../ui/messages.ts';
import { plainLabel, plainMarkdown, plainMarkdownLines } from '../ui/plainText.ts';
import type { CallerConsent } from './callerConsent.ts';
import { callerOf, DataPart, ThinkingPart } from './laterReleases.ts';

export type LanguageModelDeps = {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly log: Log;
  readonly senders: Pick<Senders, 'find' | 'omitUsage'>;
  readonly ensureConnected: () => Promise<boolean>;
  readonly consent: CallerConsent;
};

/**
 * Pause before an error is thrown. VS Code delivers parts in batches, and an error that arrives with the last batch
 * replaces it, so text that was paid for would be lost.
 */
const errorDelayMs = 100;

/** VS Code asks every provider when any extension wants a model, so a slow gateway must not delay them all. */
const maxWaitMs = 5_000;

/**
 * Offers the gateway's models to VS Code's Chat, its agents and other extensions. Each of their requests is one POST
 * that is never repeated. The contents of requests and replies are neither stored nor logged.
 */
export class LanguageModels extends DisposableStore implements vscode.LanguageModelChatProvider<OfferedModel> {
  readonly #deps: LanguageModelDeps;
  readonly #offer: ModelOffer;
  readonly #memory = new ToolCallMemory();
  /** Ids of models that rejected the reasoning of earlier answers. */
  readonly #withoutReasoning = new Set<string>();
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

  constructor(deps: LanguageModelDeps) {
    super();
    this.#deps = deps;
    const onDefect = (error: unknown) => deps.log.defect('The list of models could not be read', error);
    this.#offer = this.add(new ModelOffer(deps.catalogue, deps.clock, onDefect));
    this.onDidChangeLanguageModelChatInformation = this.#offer.onDidChange;
  }

  async provideLanguageModelChatInformation(
    { silent }: vscode.PrepareLanguageModelChatModelOptions,
    token: vscode.CancellationToken,
  ): Promise<OfferedModel[]> {
    if (!silent && !(await this.#deps.ensureConnected())) {
      return [];
    }
    const models = await this.#offer.find(signalOf(token), silent ? maxWaitMs : undefined);
    const { advice } = this.#deps.catalogue.state;
    if (!silent && models.length === 0 && advice) {
      throw new Error(plainMarkdownLines(adviceText(advice)));
    }
    return plainOffer(models);
  }

  /** @throws an error with the words for the person when nothing, or only a part of an answer, was reported. */
  async provideLanguageModelChatResponse(
    { id: model, connectionId, detail }: OfferedModel,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { log, clock, senders, consent } = this.#deps;
    const signal = signalOf(token);
    const asked = {
      model,
      messages: messages.map((message) => readMessage(message, reading)),
      tools: options.tools ?? [],
      isToolRequired: options.toolMode === vscode.LanguageModelChatToolMode.Required,
      modelOptions: options.modelOptions,
      leavesOutReasoning: this.#withoutReasoning.has(model),
    };
    const request = chatRequestOf(asked, (id) => this.#memory.factsOf(id));
    if (typeof request === 'string') {
      throw new Error(request);
    }
    const caller = callerOf(options);
    const refusal = await consent.refusal(caller, detail);
    if (refusal !== undefined) {
      throw vscode.LanguageModelError.NoPermissions(sentences(refusal, l10n.t('Nothing was sent.')));
    }
    const found = await senders.find();
    if (signal.aborted) {
      throw new vscode.CancellationError();
    }
    if (!found.ok) {
      throw vscode.LanguageModelError.NoPermissions(sentences(found.reason, l10n.t('Nothing was sent.')));
    }
    if (found.sender.connection !== connectionId) {
      // A request meant for one gateway must not go to another.
      throw vscode.LanguageModelError.NotFound(
        l10n.t("{0} belongs to a connection that isn't active. Nothing was sent.", model),
      );
    }
    const origin = { id: crypto.randomUUID(), caller: { kind: 'extension', id: caller } } as const;
    const fullName = (name: string) => asked.tools.find((tool) => wireName(tool.name) === name)?.name ?? name;
    const report = (part: ReplyPart) => {
      const shown = responsePart(part.type === 'toolCall' ? { ...part, name: fullName(part.name) } : part);
      if (shown) {
        progress.report(shown);
      }
    };
    let reply: LanguageReply;
    try {
      reply = await streamReply(found.sender, request, origin, report, this.#memory, signal);
    } catch (error) {
      // A sender returns problems as data, so anything it throws is a bug in our code.
      log.defect('A request of another extension failed', error);
      reply = { outcome: 'failed', problem: { kind: 'defect' } };
    }
    if (reply.outcome === 'stopped') {
      throw new vscode.CancellationError();
    }
    if (reply.problem?.kind === 'usageOptionRejected') {
      await senders.omitUsage(connectionId);
    }
    if (rejectsReasoning(reply.problem?.words)) {
      this.#withoutReasoning.add(model);
    }
    const failure = replyFailure(reply, { model, host: found.sender.host });
    if (failure) {
      await pause(clock, errorDelayMs, signal).catch(() => undefined);
      // VS Code's Chat renders the message as Markdown.
      const text = plainMarkdownLines(log.redact(failure.message));
      throw failure.code ? vscode.LanguageModelError[failure.code](text) : new Error(text);
    }
  }

  async provideTokenCount(
    _model: OfferedModel,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    if (typeof text === 'string') {
      return estimateTokens(text);
    }
    const messages = wireMessages([readMessage(text, reading)], (id) => this.#memory.factsOf(id));
    return estimateRequest({ messages });
  }
}

/** Matches an id that Markdown would show as a link; an id can't be escaped, because it is sent as it is. */
const linkInId = /\][([:]|[<\p{Cc}]/u;

/**
 * Escapes the texts in offered models that come from the gateway or the person. VS Code's list of models shows name and
 * id as Markdown whose links can run commands, so a model with a link in its id isn't offered; our own list still shows
 * it.
 */
export function plainOffer(models: readonly OfferedModel[]): OfferedModel[] {
  return models
    .filter(({ id }) => !linkInId.test(id))
    .map((model) => ({
      ...model,
      name: plainMarkdown(model.name),
      detail: plainLabel(model.detail),
      tooltip: plainMarkdown(model.tooltip),
    }));
}

const reading: PartReading = {
  isThinking: (part) => ThinkingPart !== undefined && part instanceof ThinkingPart,
  base64: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
};

/** @returns undefined for reasoning and token counts if VS Code has no class for them; as text they would look like the answer. */
function responsePart(part: ReplyPart): vscode.LanguageModelResponsePart | undefined {
  switch (part.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'thinking':
      return ThinkingPart && new ThinkingPart(part.text);
    case 'toolCall':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'usage':
      return DataPart && new DataPart(new TextEncoder().encode(JSON.stringify(part.usage)), 'usage');
    default:
      return part satisfies never;
  }
}
