import type * as vscode from 'vscode';

const name = 'askModel.installation';

/** Random, made once and the same for as long as this profile lives; what fingerprints of keys are made with. */
export async function installationSecret(secrets: vscode.SecretStorage): Promise<string> {
  const known = await secrets.get(name);
  if (known !== undefined) {
    return known;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  await secrets.store(name, made);
  return made;
}
