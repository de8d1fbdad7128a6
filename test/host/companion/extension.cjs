/**
 * What VS Code gives this extension it gives to no other: whoever calls through it calls as this extension. Its one
 * command asks the first model, for tests that are a person.
 */
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('askModelCaller.ask', ask));
  return { vscode };
};

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
