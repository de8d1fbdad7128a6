import { after } from 'node:test';
import { shareStarted } from '../../vscode/started.ts';

// All test files that this process runs share their VS Code.
after(shareStarted());
