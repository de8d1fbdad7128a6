import type { ModelGroup, ShownModel } from './shownGroups.ts';

/** The row of a group in the list of models; it stays the same object while the group is in the list. */
export class ModelGroupRow {
  readonly kind = 'group';
  group: ModelGroup;
  isFolded: boolean;
  #rows = new Map<string, ModelRow>();

  constructor(group: ModelGroup, isFolded: boolean) {
    this.group = group;
    this.isFolded = isFolded;
  }

  /** The rows of its models, created when the group is shown. */
  members(): readonly ModelRow[] {
    const rows = this.group.models.map((shown) => {
      const row = this.#rows.get(shown.id) ?? new ModelRow(this, shown);
      row.shown = shown;
      return row;
    });
    this.#rows = new Map(rows.map((row) => [row.shown.id, row]));
    return rows;
  }

  /**
   * Updates the group.
   *
   * @returns the rows whose content changed; the group's own row when it has other models or another order.
   */
  change(group: ModelGroup): readonly (ModelGroupRow | ModelRow)[] {
    const before = this.group.models;
    this.group = group;
    if (before.length !== group.models.length || before.some(({ id }, index) => id !== group.models[index]?.id)) {
      return [this];
    }
    return group.models.flatMap((shown) => {
      const row = this.#rows.get(shown.id);
      const isChanged = row && !isSame(row.shown, shown);
      if (row) {
        row.shown = shown;
      }
      return isChanged ? [row] : [];
    });
  }
}

/** The row of a model in one of its groups. */
export class ModelRow {
  readonly kind = 'model';
  readonly parent: ModelGroupRow;
  shown: ShownModel;

  constructor(parent: ModelGroupRow, shown: ShownModel) {
    this.parent = parent;
    this.shown = shown;
  }
}

/** The rows of the list of models; finds out which of them a choice of the person changes. */
export class ModelRows {
  #groups: readonly ModelGroupRow[] = [];

  get groups(): readonly ModelGroupRow[] {
    return this.#groups;
  }

  /**
   * Sets the groups; a group that stays keeps its row.
   *
   * @param isFolded whether a group is folded at first.
   */
  replace(groups: readonly ModelGroup[], isFolded: (group: ModelGroup) => boolean): void {
    const known = new Map(this.#groups.map((row) => [row.group.key, row]));
    this.#groups = groups.map((group) => {
      const row = known.get(group.key) ?? new ModelGroupRow(group, false);
      row.group = group;
      row.isFolded = isFolded(group);
      return row;
    });
  }

  /**
   * Updates the rows when the groups are still the same ones.
   *
   * @returns the rows to refresh; undefined, without any update, when groups were added, removed or moved.
   */
  change(groups: readonly ModelGroup[]): readonly (ModelGroupRow | ModelRow)[] | undefined {
    const isSame =
      groups.length === this.#groups.length && this.#groups.every(({ group }, at) => group.key === groups[at]?.key);
    return isSame ? this.#groups.flatMap((row, at) => row.change(groups[at] ?? row.group)) : undefined;
  }
}

/** Compares a model within one list, where what the gateway says about it is the same. */
function isSame(one: ShownModel, other: ShownModel): boolean {
  return (
    one.isDefault === other.isDefault &&
    one.isFavourite === other.isFavourite &&
    one.isNew === other.isNew &&
    one.isGone === other.isGone &&
    one.isManual === other.isManual
  );
}
