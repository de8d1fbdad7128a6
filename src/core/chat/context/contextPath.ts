/** A possible location of a file: the index of a workspace folder, and the path inside it. */
export type FolderPath = { readonly folder: number; readonly path: string };

/**
 * Possible locations of a context's file in the workspace folders, the most likely first. When several folders are
 * open, a path begins with the name of its folder. Returns none for a path that leads out of a folder: the path comes
 * from a stored conversation, and only files inside a folder may be opened from it.
 *
 * @param near another path, whose folder comes before the others.
 */
export function contextPlaces(path: string, folders: readonly string[], near = ''): FolderPath[] {
  if (!isInside(path)) {
    return [];
  }
  const [first = '', ...rest] = path.split('/');
  const named = folders.flatMap((name, folder) =>
    folders.length > 1 && name === first && rest.length > 0 ? [{ folder, path: rest.join('/') }] : [],
  );
  const whole = folders.map((name, folder) => ({ folder, isNear: near.startsWith(`${name}/`) }));
  const ordered = whole.toSorted((a, b) => Number(b.isNear) - Number(a.isNear));
  return [...named, ...ordered.map(({ folder }) => ({ folder, path }))];
}

/** Whether a path is relative and has only plain names: no `..`, drive, scheme, control character or backslash. */
function isInside(path: string): boolean {
  const hasControls = [...path].some((unit) => unit < ' ');
  return (
    !hasControls &&
    !/[\\]/.test(path) &&
    !/^[a-z][a-z\d+.-]*:/i.test(path) &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}
