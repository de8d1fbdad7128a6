import { chatTest } from './chatCase.ts';
import { connectionTests } from './connectionTests.ts';
import { contentCases } from './contentCases.ts';
import { framingCases } from './framingCases.ts';
import { modelTests } from './modelTests.ts';
import type { QuirkTest } from './quirkTest.ts';
import { refusalCases } from './refusalCases.ts';
import { timerTests } from './timerTests.ts';
import { transportCases } from './transportCases.ts';
import { toolCases, usageCases } from './usageCases.ts';

const chatCases = [...contentCases, ...usageCases, ...toolCases, ...refusalCases];

/** The tests of the network connection. */
export const transportTests: readonly QuirkTest[] = transportCases.map(chatTest);

/** The tests of what a transport may change: its bytes, its time and its connections. */
export const byteTests: readonly QuirkTest[] = [
  ...framingCases.map(chatTest),
  ...transportTests,
  ...timerTests,
  ...connectionTests,
];

/** The tests of all quirks that the test gateway can produce. */
export const allTests: readonly QuirkTest[] = [...byteTests, ...chatCases.map(chatTest), ...modelTests];
