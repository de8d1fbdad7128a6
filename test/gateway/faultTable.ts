import { readFileSync } from 'node:fs';
import type { KeyRecord } from './account.ts';
import { answerFaults } from './faults/answers.ts';
import type { ChosenFault, Fault, FaultTarget } from './faults/fault.ts';
import { modelFaults } from './faults/models.ts';
import { streamFaults } from './faults/streams.ts';
import { toolFaults } from './faults/tools.ts';
import { transportFaults } from './faults/transport.ts';
import { usageFaults } from './faults/usage.ts';
import { type Exchange, Refusal } from './http.ts';

/** All faults of this gateway, by group. */
export const faults: readonly Fault[] = Object.entries({
  ...streamFaults,
  ...usageFaults,
  ...toolFaults,
  ...answerFaults,
  ...transportFaults,
  ...modelFaults,
}).map(([key, how]) => {
  const [, name = '', quirk = '', about = ''] = /^(\S+) (\S+) (.+)$/.exec(key) ?? [];
  const on = how.answer === undefined ? (how.list === undefined ? 'chat' : 'models') : 'both';
  return { on, ...how, name, quirk, about };
});

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
        yield index % 2 === 0 ? part : Number(part) * 1_000;
      }
    },
  };
}

/**
 * Reads `name`, `name:number`, `name@chat`, `name:number@models`, or `report:name` for a stream in
 * test/fixtures/reports. Throws an Error that says what is wrong and where the names are listed.
 */
export function chooseFault(text: string): ChosenFault {
  const report = /^report:([\w-]+)$/.exec(text)?.[1];
  if (report !== undefined) {
    return { fault: reportFault(report), on: 'chat', amount: 0 };
  }
  const [, name, number, on] = /^([a-z0-9-]+)(?::(\d+(?:\.\d+)?))?(?:@(chat|models|both))?$/.exec(text.trim()) ?? [];
  const fault = faults.find((each) => each.name === name);
  if (fault === undefined) {
    throw new Error(`There is no fault '${text}'. The names are listed by: npm run gateway -- --list-faults`);
  }
  if (number !== undefined && fault.amount === undefined) {
    throw new Error(`The fault '${fault.name}' takes no number.`);
  }
  return {
    fault,
    on: (on as FaultTarget | undefined) ?? 'both',
    amount: number === undefined ? (fault.amount?.[1] ?? 0) : Number(number),
  };
}

/**
 * Returns the fault that applies to this call. The path prefix takes precedence over the key's setting, then
 * the gateway's.
 */
export function faultFor(
  endpoint: 'chat' | 'models',
  { pathFault }: Exchange,
  key: KeyRecord | undefined,
  gatewayFault: string | undefined,
): ChosenFault | undefined {
  const text = pathFault ?? key?.fault ?? gatewayFault;
  if (text === undefined || text === '' || text === 'none') {
    return undefined;
  }
  try {
    const chosen = chooseFault(text);
    const isHere = [chosen.on, chosen.fault.on].every((on) => on === 'both' || on === endpoint);
    return isHere ? chosen : undefined;
  } catch (error) {
    throw new Refusal(400, 'unknown_fault', (error as Error).message);
  }
}

/** Returns the table as text, one fault per line: name, quirk, endpoint, what it does. */
export function listFaults(): string {
  const width = Math.max(...faults.map((fault) => fault.name.length));
  return faults
    .map(({ name, quirk, about, on, amount }) => {
      const number = amount === undefined ? '' : ` [:${amount.join(', ')}]`;
      return `${name.padEnd(width)}  ${quirk.padEnd(5)} ${on.padEnd(6)} ${about}${number}`;
    })
    .join('\n');
}
