import type * as vscode from 'vscode';

const name = 'askModel.installation';

/** Deletes all secrets of the extension that VS Code can list, and the one made here. */
export async function clearSecrets(secrets: vscode.SecretStorage): Promise<void> {
  // Only later versions of VS Code list them.
  const { keys } = secrets as { readonly keys?: () => PromiseLike<readonly string[]> };
  const names = new Set([...((await keys?.call(secrets)) ?? []), name]);
  await Promise.all([...names].map((each) => secrets.delete(each)));
}

/**
 * The random secret that key fingerprints are made with. It is created once, and stays the same as long as the profile
 * exists.
 */
export async function installationSecret(secrets: vscode.SecretStorage): Promise<string> {
  const known = await secrets.get(name);
  if (known) {
    return known;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const created = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  await secrets.store(name, created);
  return created;
}
