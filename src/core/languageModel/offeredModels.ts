import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Clock } from '../base/clock.ts';
import { DisposableStore, Emitter } from '../base/lifetime.ts';
import { numberText, sentences } from '../base/localization.ts';
import type { Connection } from '../connections/connection.ts';
import type { Catalogue } from '../models/catalogue/catalogue.ts';
import type { Model } from '../models/list/model.ts';

/** A model as it is offered to the rest of VS Code. Its id is sent unchanged in a chat request. */
export type OfferedModel = Required<vscode.LanguageModelChatInformation> & { readonly connectionId: string };

type OfferSource = Pick<Catalogue, 'view' | 'state'>;

/** When the gateway states no context size: less than current general models have, but enough for an agent's prompt. */
const assumedContextTokens = 65_536;
const assumedOutputTokens = 8_192;

/** The models offered to the rest of VS Code, with an event when something changed that affects the offer. */
export class ModelOffer extends DisposableStore {
  readonly #catalogue: OfferSource & Pick<Catalogue, 'onDidChange' | 'load'>;
  readonly #clock: Clock;
  readonly #onDefect: (error: unknown) => void;
  readonly #didChange = this.add(new Emitter<void>());
  readonly onDidChange = this.#didChange.event;
  /** What the last answer was made from; undefined before the first one. */
  #offered: readonly unknown[] | undefined;

  constructor(
    catalogue: OfferSource & Pick<Catalogue, 'onDidChange' | 'load'>,
    clock: Clock,
    onDefect: (error: unknown) => void,
  ) {
    super();
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#onDefect = onDefect;
    this.add(catalogue.onDidChange(() => this.#notifyChange()));
  }

  /**
   * Finds the models that can be called. Returns at once when there is a stored list; otherwise waits for the gateway.
   *
   * @param maxWaitMs after this time the models known so far are returned; an event follows when the list arrives.
   */
  async find(signal: AbortSignal, maxWaitMs?: number): Promise<readonly OfferedModel[]> {
    const store = new DisposableStore();
    const ended = new Promise<void>((resolve) => {
      store.add(this.#catalogue.onDidChange(() => this.#isKnown && resolve()));
      if (maxWaitMs !== undefined) {
        store.add(this.#clock.after(maxWaitMs, resolve));
      }
      signal.addEventListener('abort', () => resolve());
    });
    const loading = this.#catalogue.load().catch(this.#onDefect);
    if (!this.#isKnown && !signal.aborted) {
      await Promise.race([loading, ended]);
    }
    store.dispose();
    this.#offered = this.#basis;
    return offeredModels(this.#catalogue);
  }

  /** Whether there is a list, or none is expected. */
  get #isKnown(): boolean {
    const { status, list } = this.#catalogue.state;
    return list !== undefined || (status !== 'unread' && status !== 'loading');
  }

  #notifyChange(): void {
    const [before, now] = [this.#offered, this.#basis];
    if (before?.some((each, index) => each !== now[index])) {
      this.#offered = now;
      this.#didChange.fire();
    }
  }

  /** Everything the offer is made from: the same values while there is nothing to offer. */
  get #basis(): readonly unknown[] {
    const { list, choices } = this.#catalogue.view;
    const { id, name, url } = offeringConnection(this.#catalogue) ?? {};
    if (id === undefined || (list === undefined && choices.manual.length === 0)) {
      return [undefined, undefined];
    }
    const { defaultModel, favourites, manual } = choices;
    return [list, JSON.stringify([id, name, url?.base, defaultModel, favourites, manual])];
  }
}

/**
 * The chat models of the connection in use: those in its list, and those that the person added manually. The default
 * model comes first and then the favourites, because many callers take the first one; the others are sorted by id.
 */
export function offeredModels(source: OfferSource): readonly OfferedModel[] {
  const connection = offeringConnection(source);
  if (connection === undefined) {
    return [];
  }
  const { defaultModel, favourites } = source.view.choices;
  const available = new Map(
    [...source.view.models].filter(
      ([, { model, isGone, isManual }]) => !isGone && (model ? model.isForChat : isManual),
    ),
  );
  const ordered = new Set([defaultModel ?? '', ...favourites, ...available.keys()]);
  const listed = [...available.values()].flatMap(({ model }) => model ?? []);
  const stated = {
    tools: listed.some(({ abilities }) => abilities?.includes('tools')),
    vision: listed.some(({ abilities }) => abilities?.includes('vision')),
  };
  const byTitle = Map.groupBy(listed, ({ title }) => title);
  const { name: detail, id: connectionId, url } = connection;
  const { host } = url;
  const paid = l10n.t('Each request is a paid call with your key.');
  return [...ordered]
    .flatMap((each) => available.get(each) ?? [])
    .map(({ id, model }) => {
      const limits = limitsOf(model);
      return {
        id,
        // Where only names are shown, two models of the same name would be indistinguishable.
        name: model?.title && byTitle.get(model.title)?.length === 1 ? model.title : id,
        ...familyOf(id),
        detail,
        tooltip: sentences(l10n.t('{0} at {1}.', id, host), contextText(limits), paid),
        maxInputTokens: limits.context - limits.output,
        maxOutputTokens: limits.output,
        capabilities: {
          toolCalling: hasAbility(model, 'tools', stated.tools, true),
          imageInput: hasAbility(model, 'vision', stated.vision, takesImages(id)),
        },
        connectionId,
      };
    });
}

function contextText({ context, isAssumed }: ReturnType<typeof limitsOf>): string {
  return isAssumed
    ? l10n.t("The gateway doesn't state the context size; {0} tokens are assumed.", numberText(context))
    : l10n.t('Context: {0} tokens.', numberText(context));
}

/** @returns the connection whose models are offered; undefined when none can be called. */
function offeringConnection({ state }: OfferSource): Connection | undefined {
  return state.status.startsWith('key') ? undefined : state.connection;
}

/**
 * Whether a model has an ability. In a list that states the ability for any model, a model has it only if its item says
 * so. Most lists don't state it at all, and then the assumption applies.
 *
 * @param isStated whether any model of the list states the ability.
 */
function hasAbility(
  model: Model | undefined,
  ability: 'tools' | 'vision',
  isStated: boolean,
  assumed: boolean,
): boolean {
  return model && isStated ? (model.abilities?.includes(ability) ?? false) : assumed;
}

/** A stated output limit can be as large as the context; at least half of the context is reserved for the prompt. */
function limitsOf(model: Model | undefined): { context: number; output: number; isAssumed: boolean } {
  const { contextTokens, outputTokens } = model ?? {};
  const context = contextTokens ?? Math.max(assumedContextTokens, 2 * (outputTokens ?? 0));
  const output = Math.min(outputTokens ?? assumedOutputTokens, Math.floor(context / 2));
  return { context, output, isAssumed: contextTokens === undefined };
}

/**
 * For `openai/gpt-4o-2024-08-06`, the family is `gpt-4o` and the version is the date. Without a date, it is the whole
 * id.
 */
function familyOf(id: string): { family: string; version: string } {
  const name = id.slice(id.lastIndexOf('/') + 1).replace(/:[\w.-]*$/, '') || id;
  const match = /^(.+?)[-@](\d{4}-\d\d-\d\d|20\d{6}|latest)$/.exec(name);
  return { family: match?.[1] ?? name, version: match?.[2] ?? id };
}

/**
 * Matches ids of model families that are documented to accept images. Used only for lists that state nothing about
 * images. A false match costs one rejected request; a missing one prevents sending images.
 */
const imageFamilies =
  /(?:^|[/.:])(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt-4o|o[34](?:-|$)|claude-(?:3|opus|sonnet|haiku)|gemini|gemma-3|pixtral|mistral-(?:medium|small)-?[23]|llama-4|grok-4|qwen3\.5|kimi-k2\.5|nova-(?:lite|pro|premier))|(?:^|[-/.])(?:vl|vision|omni)(?:[-:.\d]|$)|(?:glm-4(?:\.\d)?v)/i;
/** Models of those families that accept no images. */
const withoutImages = /o3-mini|gpt-4o.{0,100}(?:audio|realtime|transcribe|tts)/i;

/** Whether a model of this name is known to accept images. */
function takesImages(id: string): boolean {
  const name = id.slice(-200);
  return imageFamilies.test(name) && !withoutImages.test(name);
}
