import { after } from 'node:test';
import { drawNothing } from '../../vscode/browser.ts';
import { shareStarted } from '../../vscode/started.ts';

drawNothing();

// All test files that this process runs share their VS Code.
after(shareStarted());
