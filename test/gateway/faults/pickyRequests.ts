import type { Fault, FaultContext } from '../fault.ts';
import { error, html, page, send } from './cannedAnswer.ts';
import { eachChunk, isFinish } from './streamTransforms.ts';

interface LooseBody {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages?: readonly {
    readonly role?: string;
    readonly tool_calls?: unknown;
    readonly reasoning_content?: unknown;
  }[];
}

/** Parses the body, which has passed the checks and is a JSON object. */
function bodyOf({ body }: FaultContext): LooseBody {
  return JSON.parse(body) as LooseBody;
}

/** Makes a fault that refuses requests with a problem; other requests are answered as usual. */
function refuseIf(name: string, quirk: string, about: string, problem: (body: LooseBody) => string | undefined): Fault {
  return {
    name,
    quirk,
    about,
    on: 'chat',
    instead: (context) => {
      const message = problem(bodyOf(context));
      if (message !== undefined) {
        send(context, { status: 400, body: error(message, 'invalid_request_error', 'invalid_request_error') });
      }
    },
  };
}

const minimal = new Set(['model', 'messages', 'stream', 'stream_options']);

/** Faults that depend on the request: only certain requests are refused. */
export const pickyRequestFaults: readonly Fault[] = [
  {
    name: 'stream-options-rejected',
    quirk: 'Q30',
    about: '422 while the request holds stream_options, else an answer',
    on: 'chat',
    instead: (context) => {
      if (bodyOf(context).stream_options !== undefined) {
        const problem = {
          type: 'extra_forbidden',
          loc: ['body', 'stream_options'],
          msg: 'Extra inputs are not permitted',
        };
        send(context, { status: 422, body: { object: 'error', message: { detail: [problem] }, code: null } });
      }
    },
  },
  {
    name: 'finish-needs-usage',
    quirk: 'Q29',
    about: 'the finish chunk is dropped unless the request asked for usage',
    on: 'chat',
    items: (items, context) =>
      bodyOf(context).stream_options?.include_usage === true
        ? items
        : eachChunk((chunk) => (isFinish(chunk) ? [] : [{ chunk }]))(items),
  },
  refuseIf(
    'extra-parameters-rejected',
    'Q58',
    '400 for any parameter beyond model, messages and the stream',
    (body) => {
      const extra = Object.keys(body).find((name) => !minimal.has(name));
      return extra === undefined ? undefined : `Unsupported parameter: '${extra}' is not supported with this model.`;
    },
  ),
  refuseIf('stream-required', 'Q59', '400 for a request without a stream, which thinking models need', (body) =>
    body.stream === true ? undefined : 'parameter.enable_thinking must be set to false for non-streaming calls',
  ),
  refuseIf('reasoning-required', 'Q59', '400 when the reasoning before a tool call is not sent back', (body) =>
    body.messages?.some((message) => message.tool_calls !== undefined && message.reasoning_content === undefined)
      ? 'The reasoning_content in the thinking mode must be passed back to the API.'
      : undefined,
  ),
  {
    name: 'agent-blocked',
    quirk: 'Q79',
    about: '403 with a Cloudflare page for a User-Agent that is no honest name/version',
    on: 'both',
    instead: (context) => {
      const agent = context.exchange.request.headers['user-agent'] ?? '';
      if (!/^[\w.-]+\/\d/.test(agent) || /^(node|undici|python|curl|mozilla)/i.test(agent)) {
        const body = page('Attention Required! | Cloudflare', 'Error 1010: browser_signature_banned');
        send(context, { status: 403, type: html, headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' }, body });
      }
    },
  },
];
