const code = 'deletedElsewhere';

/** Nothing can be appended to a conversation that another window deleted: unlike a full disk, that does not pass. */
export function deletedElsewhere(): Error {
  return Object.assign(new Error('It was deleted in another window.'), { code });
}

/** By its code and not by a class: the store and who uses it are built into files of their own, each with its classes. */
export function isDeletedElsewhere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
