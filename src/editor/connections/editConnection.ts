import { type Connection, connectionLimits } from '../../core/connections/connection.ts';
import { readConsoleUrl } from '../../core/connections/consoleUrl.ts';
import { GatewayError } from '../../core/errors/gatewayProblem.ts';
import { askText, type TextOutcome } from '../ui/askText.ts';
import { askKey, inWords } from './askKey.ts';
import { askAboutNewOrigin, type ConnectDeps, checkVisibly, headersOf, noteCheck } from './connectCommands.ts';
import { askAddress, confirmRoute } from './connectFlow.ts';

/** Whether to go back to where one came from, or everything is done. */
export type EditOutcome = 'back' | 'done';

const outcomeOf = ({ status }: TextOutcome<unknown>): EditOutcome => (status === 'cancelled' ? 'done' : 'back');

/** *Rename Connection*. */
export async function rename({ connections, holdsKey }: ConnectDeps, connection: Connection): Promise<EditOutcome> {
  const host = new URL(connection.url.base).host;
  const problemOf = (text: string) =>
    text.length > connectionLimits.name
      ? `A name has at most ${connectionLimits.name} characters.`
      : holdsKey(text)
        ? 'This looks like a key. Names are kept in the settings, in plain text.'
        : connections.all.some(({ id, name }) => id !== connection.id && name === text)
          ? 'Another connection has this name.'
          : undefined;
  return outcomeOf(
    await askText({
      title: `Rename ${connection.name}`,
      canGoBack: true,
      value: connection.name,
      placeholder: host,
      prompt: () => `Shown in the side bar. Left empty, it is ${host}.`,
      validate: (text) => problemOf(text.trim()),
      accept: async (text) => {
        const name = text.trim();
        const problem = problemOf(name);
        if (problem) {
          return { problem };
        }
        await connections.change(connection, { name: name || undefined });
        return { done: name };
      },
    }),
  );
}

/** The person's own words about a connection, such as the group of its key. */
export async function editNote({ connections, holdsKey }: ConnectDeps, connection: Connection): Promise<EditOutcome> {
  const problemOf = (text: string) =>
    text.trim().length > connectionLimits.note
      ? `A note has at most ${connectionLimits.note} characters.`
      : holdsKey(text)
        ? 'This looks like a key. Notes are kept in the settings, in plain text.'
        : undefined;
  return outcomeOf(
    await askText({
      title: `Note for ${connection.name}`,
      canGoBack: true,
      value: connection.note ?? '',
      placeholder: 'Group “team-a”, renewed every quarter',
      prompt: () => 'For you alone, such as the group the key is in. Kept in the settings, never sent.',
      validate: problemOf,
      accept: async (text) => {
        const problem = problemOf(text);
        if (problem) {
          return { problem };
        }
        await connections.change(connection, { note: text.trim() || undefined });
        return { done: text };
      },
    }),
  );
}

/** Where the gateway's web pages are. */
export async function editConsoleUrl({ connections }: ConnectDeps, connection: Connection): Promise<EditOutcome> {
  const problemOf = (text: string) => {
    const read = text.trim() === '' ? undefined : readConsoleUrl(text);
    return read && !read.ok ? read.reason : undefined;
  };
  return outcomeOf(
    await askText({
      title: `Console of ${connection.name}`,
      canGoBack: true,
      value: connection.consoleUrl ?? '',
      placeholder: `https://${new URL(connection.url.base).hostname}/console`,
      prompt: () => 'Web address of the gateway’s keys, wallet and usage log. Opened in your browser, without the key.',
      validate: problemOf,
      accept: async (text) => {
        const problem = problemOf(text);
        if (problem) {
          return { problem };
        }
        await connections.change(connection, { consoleUrl: text.trim() || undefined });
        return { done: text };
      },
    }),
  );
}

/**
 * *Edit Address*. Within the same origin the key goes along after a free check. To another origin it goes only when the
 * person says so, in words that name both hosts.
 */
export async function editAddress(deps: ConnectDeps, connection: Connection): Promise<EditOutcome> {
  const { connections, check } = deps;
  const { name, headers } = connection;
  let text = connection.url.base;
  let typedKey = '';
  let trouble: string | undefined;
  for (;;) {
    const destination = await connections.destinationOf(connection);
    /** What was checked in vain: the same text once more means that it is wanted all the same. */
    let doubted = '';
    const typed = await askAddress({
      title: `Address of ${name}`,
      value: text,
      trouble,
      canGoBack: true,
      accept: async (url, signal) => {
        if (url.origin !== connection.url.origin || url.base === connection.url.base || url.base === doubted) {
          return { done: url };
        }
        if (destination.status === 'ready') {
          try {
            await check({ url, key: destination.key, headers }, signal);
          } catch (error) {
            if (!(error instanceof GatewayError)) {
              throw error;
            }
            doubted = url.base;
            return {
              problem: `${inWords(error.problem, new URL(url.base).host)} Press Enter again to keep it anyway.`,
            };
          }
        }
        return { done: url };
      },
    });
    if (typed.status !== 'done') {
      return outcomeOf(typed);
    }
    const url = typed.value;
    text = typed.typed;
    trouble = undefined;
    if (url.base === connection.url.base) {
      return 'back';
    }
    const isKeysOwn = destination.status === 'keyElsewhere' && destination.origin === url.origin;
    if (url.origin === connection.url.origin || isKeysOwn) {
      try {
        await connections.move(connection, url, undefined);
        if (url.base === doubted) {
          await noteCheck(deps, connection, false);
        }
        return 'back';
      } catch (error) {
        trouble = `The address could not be kept: ${error instanceof Error ? error.message : String(error)}`;
        continue;
      }
    }
    if (!(await confirmRoute(deps.routes, url))) {
      continue;
    }
    const key = destination.status === 'ready' ? destination.key : undefined;
    const answer = key === undefined ? 'another' : await askAboutNewOrigin(name, connection.url.origin, url);
    if (answer === 'send' && key !== undefined) {
      try {
        if (await checkVisibly(check, connection, { url, key, headers })) {
          await connections.move(connection, url, key);
          return 'back';
        }
      } catch (error) {
        trouble =
          error instanceof GatewayError
            ? inWords(error.problem, new URL(url.base).host)
            : `The address could not be kept: ${error instanceof Error ? error.message : String(error)}`;
      }
    } else if (answer === 'another') {
      const outcome = await askKey({
        url,
        headers: headersOf(connections, connection),
        holdsKey: deps.holdsKey,
        title: `Key for ${name} at ${new URL(url.base).host}`,
        typed: typedKey,
        step: 2,
        totalSteps: 2,
        check,
        keep: async (to, accepted, isChecked) => {
          await connections.move(connection, to, accepted);
          await noteCheck(deps, connection, isChecked);
        },
      });
      if (outcome.status !== 'back') {
        return outcome.status === 'done' ? 'back' : 'done';
      }
      typedKey = outcome.typed;
      trouble = outcome.trouble;
    }
  }
}
