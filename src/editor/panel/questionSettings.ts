import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { parameterText, placedParameters } from '../../core/chat/conversation/sentParameters.ts';
import { inheritedPrompt, type PlacedPrompt } from '../../core/chat/conversation/systemPrompt.ts';
import type { Connection, ConnectionDefaults } from '../../core/connections/connection.ts';
import type { Model } from '../../core/models/list/model.ts';
import type { ComposerView } from '../../protocol/views.ts';

type NamedConnection = Pick<Connection, 'name'> & ConnectionDefaults;

/** The parameters that are sent to a model, and the default effort of a model that is known to reason. */
export function parametersView(
  conversation: Conversation,
  connection: NamedConnection | undefined,
  model: string | undefined,
  facts: Model | undefined,
  isMasked: (text: string) => boolean,
): Pick<ComposerView, 'parameters'> {
  const canReason = facts?.abilities?.includes('reasoning') === true;
  const placed = placedParameters(conversation, connection, model);
  const sent = placed.map((each) => ({ ...each, text: parameterText(each) })).filter(({ text }) => text !== undefined);
  const hasEffort = sent.some(({ name }) => name === 'reasoningEffort');
  const label = [...(canReason && !hasEffort ? [l10n.t('effort: default')] : []), ...sent.map(({ text }) => text)];
  const omitted = placed.flatMap((each) => each.omitted);
  const hint = [
    ...(placed.some(({ fields }) => isMasked(JSON.stringify(fields))) ? [maskedText()] : []),
    ...sent.map(({ text, place }) => `${text} · ${placeText(place, model, connection)}`),
    ...(omitted.length > 0 ? [l10n.t('not sent, because it was rejected: {0}', omitted.join(', '))] : []),
  ];
  return label.length + hint.length === 0
    ? {}
    : { parameters: { label: label.join(' · '), hint: hint.length > 0 ? hint.join('\n') : l10n.t('None is set.') } };
}

/**
 * The system prompt that is sent, or that none is although one is set.
 *
 * @param tokens what it adds, in words.
 * @param isMasked whether something in a text is masked before it is sent.
 */
export function systemPromptView(
  { systemPrompt }: Conversation,
  sent: PlacedPrompt | undefined,
  connection: NamedConnection | undefined,
  model: string | undefined,
  tokens: string,
  isMasked: (text: string) => boolean,
): Pick<ComposerView, 'systemPrompt'> {
  if (sent === undefined) {
    // That none is sent is worth a word only where one would be sent otherwise.
    return systemPrompt === undefined || inheritedPrompt(connection, model) === undefined
      ? {}
      : { systemPrompt: { label: l10n.t('No system prompt'), detail: placeText('conversation'), hint: '' } };
  }
  const masked = isMasked(sent.text) ? [maskedText()] : [];
  const detail = [placeText(sent.place, model, connection), tokens, ...masked].join(' · ');
  return { systemPrompt: { label: l10n.t('System prompt'), detail, hint: shortened(sent.text) } };
}

function maskedText(): string {
  return l10n.t('secrets masked');
}

/** Where something is set, in words. */
function placeText(place: PlacedPrompt['place'], model = '', connection?: NamedConnection): string {
  return { conversation: l10n.t('this conversation'), model, connection: connection?.name ?? '' }[place];
}

/** The beginning of a long text. */
function shortened(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
