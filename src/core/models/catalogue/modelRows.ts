import type { ModelGroup, ShownModel } from './shownGroups.ts';

/** A group in the list of models: the same object for as long as the list is there. */
export class ModelGroupRow {
  readonly kind = 'group';
  group: ModelGroup;
  isFolded: boolean;
  #rows = new Map<string, ModelRow>();

  constructor(group: ModelGroup, isFolded: boolean) {
    this.group = group;
    this.isFolded = isFolded;
  }

  /** The rows of its models, made when somebody wants to see them. */
  members(): readonly ModelRow[] {
    const rows = this.group.models.map((shown) => {
      const row = this.#rows.get(shown.id) ?? new ModelRow(this, shown);
      row.shown = shown;
      return row;
    });
    this.#rows = new Map(rows.map((row) => [row.shown.id, row]));
    return rows;
  }

  /** The group as it is now. @returns the rows that say something else; all of it when it holds other models. */
  change(group: ModelGroup): readonly (ModelGroupRow | ModelRow)[] {
    const before = this.group.models;
    this.group = group;
    if (before.length !== group.models.length || before.some(({ id }, index) => id !== group.models[index]?.id)) {
      return [this];
    }
    return group.models.flatMap((shown) => {
      const row = this.#rows.get(shown.id);
      const isOther = row && !isSame(row.shown, shown);
      if (row) {
        row.shown = shown;
      }
      return isOther ? [row] : [];
    });
  }
}

/** A model in one of the groups it stands in. */
export class ModelRow {
  readonly kind = 'model';
  readonly parent: ModelGroupRow;
  shown: ShownModel;

  constructor(parent: ModelGroupRow, shown: ShownModel) {
    this.parent = parent;
    this.shown = shown;
  }
}

/** The rows of the list of models, and which of them a choice of the person changes. */
export class ModelRows {
  #groups: readonly ModelGroupRow[] = [];

  get groups(): readonly ModelGroupRow[] {
    return this.#groups;
  }

  /** @param isFolded whether a group that was not there is folded at first. */
  replace(groups: readonly ModelGroup[], isFolded: (group: ModelGroup) => boolean): void {
    const known = new Map(this.#groups.map((row) => [row.group.key, row]));
    this.#groups = groups.map((group) => {
      const row = known.get(group.key) ?? new ModelGroupRow(group, false);
      row.group = group;
      row.isFolded = isFolded(group);
      return row;
    });
  }

  /** @returns what is to be asked for again; undefined when the groups are others, and nothing was changed here. */
  change(groups: readonly ModelGroup[]): readonly (ModelGroupRow | ModelRow)[] | undefined {
    const isSame =
      groups.length === this.#groups.length && this.#groups.every(({ group }, at) => group.key === groups[at]?.key);
    return isSame ? this.#groups.flatMap((row, at) => row.change(groups[at] ?? row.group)) : undefined;
  }
}

/** Of one list: what the gateway says of the model is the same. */
function isSame(one: ShownModel, other: ShownModel): boolean {
  return (
    one.isDefault === other.isDefault &&
    one.isFavourite === other.isFavourite &&
    one.isNew === other.isNew &&
    one.isGone === other.isGone &&
    one.isManual === other.isManual
  );
}
