/**
 * Possible locations of a context's file in the workspace folders, the most likely first. When several folders are
 * open, a path begins with the name of its folder. Returns none for a path that leads out of a folder: the path comes
 * from a stored conversation, and only files inside a folder may be opened from it.
 *
 * @param near another path, whose folder comes before the others.
 */
export function contextPlaces<Folder extends { readonly name: string }>(
  path: string,
  folders: readonly Folder[],
  near = '',
): { readonly folder: Folder; readonly path: string }[] {
  if (!isInside(path)) {
    return [];
  }
  const [first = '', ...rest] = path.split('/');
  const named = folders.length > 1 && rest.length > 0 ? folders.filter(({ name }) => name === first) : [];
  const isNear = ({ name }: Folder) => near.startsWith(`${name}/`);
  return [
    ...named.map((folder) => ({ folder, path: rest.join('/') })),
    ...folders.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a))).map((folder) => ({ folder, path })),
  ];
}

/** Whether a path is relative and has only plain names: no `..`, drive, scheme, control character or backslash. */
export function isInside(path: string): boolean {
  const hasControls = [...path].some((unit) => unit < ' ');
  return (
    !hasControls &&
    !/[\\]/.test(path) &&
    !/^[a-z][a-z\d+.-]*:/i.test(path) &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}
