/** Nothing can be appended to a conversation that another window deleted: unlike a full disk, that does not pass. */
export class DeletedElsewhereError extends Error {
  constructor() {
    super('It was deleted in another window.');
    this.name = 'DeletedElsewhereError';
  }
}
