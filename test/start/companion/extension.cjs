/**
 * Connects Ask Model to the local gateway that `npm start` runs, so that the person can ask right away. The key goes
 * from the gateway over loopback into SecretStorage; it is never in a file, a setting or a command line.
 */
const vscode = require('vscode');

/** The file of the sample workspace that is shown at the first start. */
const firstFile = 'src/cart/discount.ts';

exports.activate = async (context) => {
  const consoleUrl = process.env.ASK_MODEL_START_GATEWAY;
  const baseUrl = process.env.ASK_MODEL_START_BASE_URL;
  if (!consoleUrl || !baseUrl) {
    return;
  }
  try {
    const askModel = await vscode.extensions.getExtension('ask-model.ask-model').activate();
    if (askModel === undefined) {
      // A window with another folder has what the first one connected.
      return;
    }
    // A gateway that lost its state or moved to another port doesn't accept the stored key.
    const gateway = `${baseUrl} ${process.env.ASK_MODEL_START_GATEWAY_ID}`;
    if (context.globalState.get('gateway') === gateway && (await askModel.isConnected())) {
      return;
    }
    await askModel.connect(baseUrl, await newKey(consoleUrl));
    await turnOnLookUps(baseUrl);
    await context.globalState.update('gateway', gateway);
    await showModelsAndSample();
  } catch (error) {
    vscode.window.showErrorMessage(`npm start could not connect Ask Model to its local gateway: ${error.message}`);
  }
};

/** Turns on what the models view offers, so that the first question shows a balance, a price and a cost. */
async function turnOnLookUps(baseUrl) {
  const settings = vscode.workspace.getConfiguration();
  const connections = settings.get('askModel.connections', []);
  const changed = connections.map((each) => (each.baseUrl === baseUrl ? { ...each, probes: true } : each));
  await settings.update('askModel.connections', changed, vscode.ConfigurationTarget.Global);
}

async function newKey(consoleUrl) {
  const response = await fetch(new URL('/keys', consoleUrl), {
    method: 'POST',
    headers: { accept: 'application/json' },
    // A key with a quota, so that a balance is shown.
    body: new URLSearchParams({ name: 'npm start', quotaUsd: '5' }),
  });
  if (!response.ok) {
    throw new Error(`the gateway answered ${response.status} when asked for a key`);
  }
  return (await response.json()).value;
}

/** Shows the models at the left and sample code at the right. */
async function showModelsAndSample() {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder) {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, firstFile));
  }
  await vscode.commands.executeCommand('workbench.view.extension.askModel');
}
