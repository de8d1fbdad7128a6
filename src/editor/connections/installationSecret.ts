import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

const name = 'askModel.installation';

/** Random, made once and the same for as long as this profile lives; what fingerprints of keys are made with. */
export async function installationSecret(secrets: vscode.SecretStorage): Promise<string> {
  const known = await secrets.get(name);
  if (known !== undefined) {
    return known;
  }
  const made = randomBytes(32).toString('hex');
  await secrets.store(name, made);
  return made;
}
