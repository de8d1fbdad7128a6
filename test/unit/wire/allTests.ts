import { chatTest } from './chatCase.ts';
import { connectionTests } from './connectionTests.ts';
import { contentCases } from './contentCases.ts';
import { framingCases } from './framingCases.ts';
import { http2Cases } from './http2Cases.ts';
import { modelTests } from './modelTests.ts';
import type { QuirkTest } from './quirkTest.ts';
import { refusalCases } from './refusalCases.ts';
import { timerTests } from './timerTests.ts';
import { transportCases } from './transportCases.ts';
import { toolCases, usageCases } from './usageCases.ts';
import { tlsWire } from './wire.ts';

const chatCases = [...framingCases, ...contentCases, ...usageCases, ...toolCases, ...refusalCases, ...transportCases];
const overHttp2 = tlsWire(true);

/** Every quirk of the wire that a gateway can show. */
export const allTests: readonly QuirkTest[] = [
  ...chatCases.map(chatTest),
  ...http2Cases.map((each) => ({ ...chatTest(each), wire: overHttp2 })),
  ...modelTests,
  ...timerTests,
  ...connectionTests,
];
