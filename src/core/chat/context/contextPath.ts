/** Where a file may be: the index of a workspace folder, and the path inside of it. */
export type FolderPath = { readonly folder: number; readonly path: string };

/**
 * Where the file of a context may be among the workspace's folders, the likeliest first. A path with several folders
 * open begins with the name of its folder. None for a path that leads out of a folder: the path comes from a
 * conversation that was kept, and only names inside of a folder are ever opened from there.
 */
export function contextPlaces(path: string, folders: readonly string[]): FolderPath[] {
  if (!isInside(path)) {
    return [];
  }
  const [first = '', ...rest] = path.split('/');
  const named = folders.flatMap((name, folder) =>
    folders.length > 1 && name === first && rest.length > 0 ? [{ folder, path: rest.join('/') }] : [],
  );
  return [...named, ...folders.map((_, folder) => ({ folder, path }))];
}

/** A relative path of plain names: no step up, no drive, no scheme, no back-slash that a system could take for one. */
function isInside(path: string): boolean {
  const hasControls = [...path].some((unit) => unit < ' ');
  return (
    !hasControls &&
    !/[\\]/.test(path) &&
    !/^[a-z][a-z\d+.-]*:/i.test(path) &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}
