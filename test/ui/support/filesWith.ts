import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Reads a file; empty when it no longer exists, because a running browser removes some of its files. */
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

/** Finds the files that contain one of the texts as UTF-8, or as UTF-16 as browsers store it. Returns sorted relative paths. */
export function filesWith(folder: string, ...texts: readonly string[]): string[] {
  const forms = texts.flatMap((text) => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]);
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
