import { readFileSync } from 'node:fs';
import type { ChosenFault, Fault, FaultTarget } from './fault.ts';
import { billingFaults } from './faults/billing.ts';
import { compressionFaults } from './faults/compression.ts';
import { contentFaults } from './faults/content.ts';
import { errorDialectFaults } from './faults/errorDialects.ts';
import { errorEventFaults } from './faults/errorEvents.ts';
import { errorShapeFaults } from './faults/errorShapes.ts';
import { framingFaults } from './faults/framing.ts';
import { gatewayTextFaults } from './faults/gatewayTexts.ts';
import { keyEchoFaults } from './faults/keyEchoes.ts';
import { modelListFaults } from './faults/modelLists.ts';
import { modelShapeFaults } from './faults/modelShapes.ts';
import { pickyRequestFaults } from './faults/pickyRequests.ts';
import { reasoningFaults } from './faults/reasoning.ts';
import { rejectionFaults } from './faults/rejections.ts';
import { strayAnswerFaults } from './faults/strayAnswers.ts';
import { streamShapeFaults } from './faults/streamShapes.ts';
import { toolFaults } from './faults/tools.ts';
import { transportFaults } from './faults/transport.ts';
import { usageFaults } from './faults/usage.ts';
import { usageNameFaults } from './faults/usageNames.ts';

/** All faults of this gateway, by group. */
export const faults: readonly Fault[] = [
  ...framingFaults,
  ...contentFaults,
  ...streamShapeFaults,
  ...reasoningFaults,
  ...usageFaults,
  ...usageNameFaults,
  ...toolFaults,
  ...errorEventFaults,
  ...errorDialectFaults,
  ...errorShapeFaults,
  ...rejectionFaults,
  ...gatewayTextFaults,
  ...pickyRequestFaults,
  ...strayAnswerFaults,
  ...transportFaults,
  ...compressionFaults,
  ...keyEchoFaults,
  ...modelListFaults,
  ...modelShapeFaults,
  ...billingFaults,
];

/** Answers with the stream of a public report. A line `@pause N` stands for N seconds. */
function reportFault(name: string): Fault {
  const parts = readFileSync(`test/fixtures/reports/${name}.sse`, 'utf8').split(/^@pause ([\d.]+)\n/m);
  return {
    name: `report:${name}`,
    quirk: '',
    about: 'the stream of a public report',
    on: 'chat',
    isStream: true,
    async *wire(text) {
      for await (const _ of text) {
        // The model's own answer is charged, but not sent.
      }
      for (const [index, part] of parts.entries()) {
        yield index % 2 === 0 ? part : { waitMs: Number(part) * 1_000 };
      }
    },
  };
}

const byName = new Map(faults.map((fault) => [fault.name, fault]));

/**
 * Reads `name`, `name:number`, `name@chat`, `name:number@models`, or `report:name` for a stream in
 * test/fixtures/reports. Throws an Error that says what is wrong and where the names are listed.
 */
export function chooseFault(text: string): ChosenFault {
  const report = /^report:([\w-]+)$/.exec(text)?.[1];
  if (report !== undefined) {
    return { fault: reportFault(report), on: 'chat', amount: 0 };
  }
  const match = /^([a-z0-9-]+)(?::(\d+(?:\.\d+)?))?(?:@(chat|models|both))?$/.exec(text.trim());
  const fault = match?.[1] === undefined ? undefined : byName.get(match[1]);
  if (match === null || fault === undefined) {
    throw new Error(`There is no fault '${text}'. The names are listed by: npm run gateway -- --list-faults`);
  }
  if (match[2] !== undefined && fault.amount === undefined) {
    throw new Error(`The fault '${fault.name}' takes no number.`);
  }
  return {
    fault,
    on: (match[3] as FaultTarget | undefined) ?? 'both',
    amount: match[2] === undefined ? (fault.amount?.default ?? 0) : Number(match[2]),
  };
}

/** Returns the table as text, one fault per line: name, quirk, endpoint, what it does. */
export function listFaults(): string {
  const width = Math.max(...faults.map((fault) => fault.name.length));
  return faults
    .map(({ name, quirk, about, on, amount }) => {
      const number = amount === undefined ? '' : ` [:${amount.about}, ${amount.default}]`;
      return `${name.padEnd(width)}  ${quirk.padEnd(5)} ${on.padEnd(6)} ${about}${number}`;
    })
    .join('\n');
}
