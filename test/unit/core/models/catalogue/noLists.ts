import type { ModelLists } from '../../../../../src/core/models/catalogue/storedList.ts';

/** A store without lists. */
export const noLists: ModelLists = {
  read: async () => undefined,
  item: async () => undefined,
  write: async () => undefined,
  remove: async () => undefined,
};
