/**
 * VS Code gives each extension its own API object: a call through this one counts as a call of this extension. Its
 * commands are for UI tests, and so is its server, which does what is not the subject of a test in a tenth of the time
 * that the palette takes.
 */
const { mkdirSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { json } = require('node:stream/consumers');
const vscode = require('vscode');

exports.activate = (context) => {
  const server = createServer(async (request, response) => {
    try {
      const { command, args = [], isAwaited, settings = {}, file } = await json(request);
      // What the test did in the window before, such as selecting a line, is known here once the window has answered.
      await vscode.commands.executeCommand('setContext', 'askModelCaller.isAsked', true);
      for (const [name, value] of Object.entries(settings)) {
        await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
      }
      if (file !== undefined) {
        const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, file);
        await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, preview: false });
      }
      let result;
      if (command !== undefined) {
        const ended = vscode.commands.executeCommand(command, ...args);
        result = await (isAwaited && ended);
      }
      response.end(JSON.stringify(result ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const folder = context.globalStorageUri.fsPath;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/port`, String(server.address().port));
  });
  context.subscriptions.push(
    { dispose: () => server.close() },
    vscode.commands.registerCommand('askModelCaller.ask', () => void ask()),
    vscode.commands.registerCommand('askModelCaller.explainLines', explainLines),
    vscode.commands.registerCommand('askModelCaller.beBusy', beBusy),
  );
  return { vscode };
};

/** Explains one line after another, without waiting for the replies. */
async function explainLines() {
  const editor = vscode.window.activeTextEditor;
  for (let line = 0; line < 20; line++) {
    editor.selection = new vscode.Selection(line, 0, line + 1, 0);
    void vscode.commands.executeCommand('askModel.explainSelection');
    // The command reads the selection only when it runs.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  vscode.window.setStatusBarMessage('All lines were called', 60_000);
}

/** Blocks the extension host for eight seconds. */
function beBusy() {
  for (const end = Date.now() + 8_000; Date.now() < end; ) {}
}

async function ask() {
  try {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'ask-model' });
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('Hi')]);
    let text = '';
    for await (const part of response.text) {
      text += part;
    }
    vscode.window.showInformationMessage(`Answered: ${text.slice(0, 60)}`);
  } catch (error) {
    vscode.window.showInformationMessage(`Not answered: ${error.message}`);
  }
}
