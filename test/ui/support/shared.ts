import { after } from 'node:test';
import { shareStarted } from '../../vscode/started.ts';

// For all files of tests that this process runs.
after(shareStarted());
