import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Empty when it is gone: a browser that runs removes files of its own while the others are read. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  }
}

/**
 * The files under a folder that hold a text, as UTF-8 or, as browsers keep it, as UTF-16. Relative paths, sorted.
 */
export function filesWith(folder: string, text: string): string[] {
  const forms = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = bytesOf(path);
      return forms.some((form) => bytes.includes(form));
    })
    .map((path) => relative(folder, path))
    .sort();
}
