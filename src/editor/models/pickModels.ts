import * as vscode from 'vscode';
import { fewestCompared, mostCompared } from '../../core/chat/conversation/comparison.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { type ShownModel, shownGroups, shownModels } from '../../core/models/catalogue/shownGroups.ts';
import { numberWord } from '../ui/numberWord.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';
import { shortFacts, states } from './modelItem.ts';

type Item = vscode.QuickPickItem & { readonly id?: string };

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });

/**
 * Lets the person pick the models of a comparison. Too few or too many are told in the title, and the list stays.
 *
 * @param chosen exact ids that are picked at first, and stand on top.
 * @returns exact ids in the order of the list; undefined when the person left.
 */
export async function pickModels(
  catalogue: Catalogue,
  chosen: readonly string[],
): Promise<readonly string[] | undefined> {
  const pick = createQuickPick<Item>();
  const first = [...new Set(chosen)];
  let ids: readonly string[] = first;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.step = 1;
  pick.totalSteps = 2;
  pick.placeholder = 'Two, three or four models, each a paid call. Type to search';
  const paint = () => {
    pick.items = rows(catalogue, first).map(plainItem);
    pick.selectedItems = pick.items.filter(({ id }) => id !== undefined && ids.includes(id));
  };
  const news = catalogue.onDidChange(paint);
  const picked = new Promise<readonly string[] | undefined>((resolve) => {
    pick.onDidChangeSelection((items) => {
      ids = items.flatMap(({ id }) => id ?? []);
      pick.title = titleOf(ids.length);
    });
    pick.onDidAccept(() => {
      const wrong = countProblem(ids.length);
      if (wrong === undefined) {
        resolve(ids);
        pick.hide();
      } else {
        pick.title = `Compare Models: ${wrong}`;
      }
    });
    pick.onDidHide(() => resolve(undefined));
  });
  try {
    pick.title = titleOf(ids.length);
    paint();
    pick.busy = true;
    pick.show();
    await Promise.race([catalogue.load(), picked]);
    pick.busy = false;
    return await picked;
  } finally {
    news.dispose();
    pick.dispose();
  }
}

function titleOf(count: number): string {
  return `Compare Models: ${countProblem(count) ?? `${numberWord(count)} picked, ${count} paid calls`}`;
}

/** Why that many can not be compared, and what to do; undefined when they can. */
export function countProblem(count: number): string | undefined {
  if (count < fewestCompared) {
    return count === 0 ? 'pick two, three or four' : 'one is picked, pick at least one more';
  }
  return count > mostCompared ? `${numberWord(count)} are picked, four are the most; leave some out` : undefined;
}

/** Each model once, in the first of the side bar's groups that has it; what is picked at first stands above them. */
function rows(catalogue: Catalogue, first: readonly string[]): Item[] {
  const seen = new Set<string>();
  const known = shownModels(catalogue);
  const chosen = first.map((id) => known.get(id) ?? unlisted(id));
  const groups = [{ name: 'Picked to begin with', models: chosen }, ...shownGroups(catalogue)];
  return groups.flatMap(({ name, models }) => {
    const fresh = models.filter(({ id }) => !seen.has(id) && seen.add(id));
    return fresh.length > 0 ? [separator(name), ...fresh.map(rowOf)] : [];
  });
}

function rowOf(shown: ShownModel): Item {
  const { id, model } = shown;
  return {
    id,
    label: id,
    description: [model?.vendor, ...shortFacts(model), ...states(shown)].filter(Boolean).join(' · '),
  };
}

/** Compared before, and in no list now. */
function unlisted(id: string): ShownModel {
  return { id, isDefault: false, isFavourite: false, isNew: false, isGone: true, isManual: false };
}
