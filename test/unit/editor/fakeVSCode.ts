import { registerHooks } from 'node:module';

/**
 * Gives a test file a VS Code of its own: code in `src/editor` that it imports afterwards gets the module at `vscode`.
 * That code is loaded once more for each such file, because several files of tests share a process.
 */
export function fakeVSCode({ url: test }: ImportMeta, vscode: string): void {
  const mark = `?for=${encodeURIComponent(test)}`;
  registerHooks({
    resolve(name, context, next) {
      if (context.parentURL !== test && !context.parentURL?.endsWith(mark)) {
        return next(name, context);
      }
      if (name === 'vscode') {
        return { url: vscode, shortCircuit: true };
      }
      const found = next(name, context);
      return found.url.includes('/src/editor/') ? { ...found, url: `${found.url}${mark}` } : found;
    },
  });
}
