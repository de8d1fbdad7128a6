import { amountOf } from '../base/loose.ts';
import type { BoundedAnswer } from '../http/boundedGet.ts';
import type { TlsFacts } from '../network/networkProbe.ts';
import { type CheckFinding, skipped } from './checkFinding.ts';

type Headers = Readonly<Record<string, string>>;

const skewMs = 5 * 60_000;
const minuteMs = 60_000;

/** The gateway's clock against ours; certificates and the validity of keys go by it. */
export function compareClocks({ headers }: BoundedAnswer, now: number): CheckFinding {
  const date = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  if (!Number.isFinite(date)) {
    return skipped('The gateway does not say what time it is.');
  }
  // A cache repeats the date of the answer it keeps, and says how old that is.
  const theirs = date + (amountOf(headers.age) ?? 0) * 1_000;
  const ahead = now - theirs;
  if (Math.abs(ahead) <= skewMs) {
    return { status: 'ok', detail: `This machine’s clock and the gateway’s are ${seconds(ahead)} apart.` };
  }
  const minutes = Math.round(Math.abs(ahead) / minuteMs);
  return {
    status: 'warning',
    detail: `This machine’s clock is ${minutes} min ${ahead > 0 ? 'ahead of' : 'behind'} the gateway’s.`,
    remedy: 'Set the clock. Certificates and keys look expired, or not valid yet, when it is wrong.',
  };
}

function seconds(ms: number): string {
  return `${Math.abs(Math.round(ms / 1_000))} s`;
}

type Between = { readonly name: string; readonly isThere: (headers: Headers) => boolean; readonly effect?: string };

/** What says of itself in the headers that it stands before the gateway, and what it is known to do to a stream. */
const known: readonly Between[] = [
  {
    name: 'Cloudflare',
    isThere: (headers) => headers['cf-ray'] !== undefined || /cloudflare/i.test(headers.server ?? ''),
    effect: 'ends a request when nothing comes for about two minutes',
  },
  {
    name: 'CloudFront',
    isThere: (headers) => headers['x-amz-cf-id'] !== undefined || /cloudfront/i.test(headers.via ?? ''),
    effect: 'ends a request when nothing comes for 30 s, unless it is told to wait longer',
  },
  {
    name: 'nginx',
    isThere: (headers) =>
      /nginx|openresty|tengine/i.test(headers.server ?? '') && headers['x-accel-buffering']?.trim() !== 'no',
    effect: 'holds replies back unless it is told not to (proxy_buffering)',
  },
  { name: 'Fastly or Varnish', isThere: (headers) => ['x-varnish', 'x-served-by'].some((name) => name in headers) },
  { name: 'Azure Front Door', isThere: (headers) => headers['x-azure-ref'] !== undefined },
  { name: 'Akamai', isThere: (headers) => /akamai/i.test(headers.server ?? '') },
];

/** Amazon's front for functions gives an answer out when it is whole, unless it was set up for streaming. */
function isApiGateway(headers: Headers): boolean {
  return headers['x-amz-apigw-id'] !== undefined || headers['apigw-requestid'] !== undefined;
}

/**
 * As much as calls without cost tell about streaming.
 *
 * @param plain the answer to a request that wanted no compression, if there was one.
 */
export function lookAtStreaming(
  answer: BoundedAnswer,
  plain: BoundedAnswer | undefined,
  tls: TlsFacts | undefined,
): CheckFinding {
  const { headers } = answer;
  const between = known.filter(({ isThere }) => isThere(headers));
  const encoding = plain?.headers['content-encoding']?.trim().toLowerCase();
  const isCompressed = encoding !== undefined && encoding !== '' && encoding !== 'identity';
  const said = ['server', 'via', 'cf-ray'].flatMap((name) => {
    const value = headers[name]?.trim();
    return value ? [`${name}: ${value.slice(0, 200)}`] : [];
  });
  const facts = [
    tls?.alpn !== undefined && `Spoken: ${tls.alpn}.`,
    said.length > 0 && `Headers: ${said.join('; ')}.`,
    ...between.map(({ name, effect }) => `In between: ${name}${effect ? `, which ${effect}` : ''}.`),
    isApiGateway(headers) &&
      'In between: Amazon API Gateway, which holds replies back unless it is set up for streaming.',
    isCompressed &&
      `Something compresses answers although none was to be compressed (${encoding}); that holds replies back.`,
  ].filter((fact) => fact !== false);
  const detail = [
    ...(facts.length > 0 ? facts : ['Nothing in between shows itself.']),
    'Whether replies really stream, only a question tells, and a question is paid for.',
  ].join(' ');
  return isCompressed || isApiGateway(headers)
    ? {
        status: 'warning',
        detail,
        remedy: 'If replies come all at once, whoever runs the gateway can switch that off for them.',
      }
    : { status: 'ok', detail };
}
