import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../until.ts';

describe('Copy Diagnostics', () => {
  it('copies the report when Enter is pressed', async () => {
    await vscode.env.clipboard.writeText('nothing yet');
    void vscode.commands.executeCommand('askModel.copyDiagnostics');
    let copied = '';
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      copied = await vscode.env.clipboard.readText();
      return copied !== 'nothing yet';
    });
    assert.match(copied, /^# Ask Model: diagnostics\n/);
    assert.ok(copied.includes(vscode.version));
  });
});
