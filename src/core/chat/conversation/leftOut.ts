import * as l10n from '@vscode/l10n';
import { listText, numberText, plural } from '../../base/localization.ts';
import { cutTo } from '../context/cutContext.ts';
import type { CodeContext } from '../context/prompt.ts';
import type { Reply, Turn } from './conversation.ts';
import type { LeftOut } from './storedParts.ts';

/** The context of a question as it is sent: without what is left out, and cut to the lines that are sent. */
export function sentContexts(contexts: readonly CodeContext[], leftOut: LeftOut | undefined): readonly CodeContext[] {
  if (leftOut === undefined || leftOut.contexts.length === 0) {
    return contexts;
  }
  const changed = new Map(leftOut.contexts.map(({ id, lines }) => [id, lines]));
  return contexts.flatMap((context) => {
    const lines = changed.get(context.id);
    return lines ? [cutTo(context, lines)] : changed.has(context.id) ? [] : [context];
  });
}

/** Says what was left out of the request of a reply; undefined when nothing was. */
export function leftOutText({ leftOut }: Reply, { contexts }: Pick<Turn, 'contexts'>): string | undefined {
  if (leftOut === undefined) {
    return undefined;
  }
  const count = leftOut.turns.length;
  const turns = plural(count, l10n.t('1 earlier question'), l10n.t('{0} earlier questions', numberText(count)));
  const ofContext = leftOut.contexts.flatMap(({ id, lines }) => {
    const context = contexts.find((each) => each.id === id);
    const name = context && contextName(context);
    const sent = lines && [numberText(lines.startLine), numberText(lines.endLine)];
    return name === undefined ? [] : [sent ? l10n.t('{0} except lines {1}–{2}', name, ...sent) : name];
  });
  return l10n.t('Left out: {0}', listText([...(count > 0 ? [turns] : []), ...ofContext]));
}

/** A short name for a context: of its file or folder, or of the command. */
function contextName({ path, name }: CodeContext): string {
  return path.split('/').at(-1) || name || l10n.t('Context');
}
