/**
 * VS Code gives each extension its own API object: a call through this one counts as a call of this extension. Its
 * commands are for UI tests.
 */
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('askModelCaller.ask', ask),
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
