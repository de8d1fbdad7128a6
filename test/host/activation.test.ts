import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('has its id and activates', async () => {
    const extension = vscode.extensions.getExtension('ask-model.ask-model');
    assert.ok(extension, 'no extension with this id');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
