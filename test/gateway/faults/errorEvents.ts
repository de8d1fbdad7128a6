import type { Fault } from '../fault.ts';
import { after, eachText } from './streamTransforms.ts';

const upstream = { message: 'Upstream provider error', type: 'upstream_error', param: null, code: 'upstream_error' };
const overloaded = { type: 'overloaded_error', message: 'Overloaded' };

/** Errors in a stream whose status is already 200. The tokens produced before the error are charged. */
export const errorEventFaults: readonly Fault[] = [
  {
    name: 'error-first-event',
    quirk: 'Q31',
    about: 'the first and only event is an error, then [DONE]',
    on: 'chat',
    items: after(0, [{ json: { error: upstream } }, { done: true }]),
  },
  {
    name: 'error-mid-stream',
    quirk: 'Q31',
    about: 'some text, then an error event, then [DONE]',
    on: 'chat',
    amount: { about: 'items before the error', default: 6 },
    items: (items, { amount }) => after(amount, [{ json: { error: upstream } }, { done: true }])(items),
  },
  {
    name: 'error-in-choice',
    quirk: '1.6',
    about: 'an error beside a choice whose finish_reason is error',
    on: 'chat',
    items: after(6, [
      {
        json: {
          error: { code: 502, message: 'Provider disconnected' },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        },
      },
      { done: true },
    ]),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map((choice) => ({
        ...choice,
        finish_reason: 'error',
        error: { code: 502, message: 'Provider disconnected', metadata: { provider_name: 'Somewhere' } },
      })),
    }),
  },
  {
    name: 'error-as-event',
    quirk: 'Q12',
    about: 'some text, then event: error',
    on: 'chat',
    items: after(6, [{ json: { type: 'error', error: overloaded }, event: 'error' }]),
  },
  {
    name: 'error-as-field',
    quirk: 'Q13',
    about: 'some text, then a line error: {…}',
    on: 'chat',
    items: after(6, [{ text: 'error: {"code":500,"message":"slot unavailable","type":"server_error"}\n\n' }]),
  },
  {
    name: 'error-after-pings',
    quirk: 'Q11',
    about: 'comments, then raw error JSON without data:',
    on: 'chat',
    items: after(0, [{ text: ': PING\n\n: PING\n\n' }, { text: JSON.stringify({ error: upstream }) }]),
  },
  {
    name: 'error-as-text',
    quirk: '1.6',
    about: 'the error is text behind data:, not JSON',
    on: 'chat',
    items: after(0, [{ text: 'data: error: upstream timed out\n\n' }]),
  },
  {
    name: 'error-dropped',
    quirk: '1.6',
    about: 'an upstream error arrives as choices: null, then [DONE]: an empty success',
    on: 'chat',
    items: after(0, [{ json: { id: '', object: '', created: 0, model: '', choices: null } }, { done: true }]),
  },
  {
    name: 'error-null',
    quirk: '1.6',
    about: 'error: null on every chunk, which is no error',
    on: 'chat',
    items: eachText((_, chunk) => [{ json: { ...chunk, error: null } }]),
    completion: (completion) => ({ ...completion, error: null }),
  },
];
