import * as l10n from '@vscode/l10n';
import { numberText, sentences } from '../base/localization.ts';
import { amountOf } from '../base/loose.ts';
import type { BoundedAnswer } from '../http/boundedGet.ts';
import type { TlsFacts } from '../network/networkProbe.ts';
import { type CheckFinding, skipped } from './checkFinding.ts';

type Headers = Readonly<Record<string, string>>;

const skewMs = 5 * 60_000;
const minuteMs = 60_000;

/** Compares this machine's clock with the gateway's: certificates and the validity of keys depend on it. */
export function compareClocks({ headers }: BoundedAnswer, now: number): CheckFinding {
  const date = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  if (!Number.isFinite(date)) {
    return skipped(l10n.t("The gateway doesn't report its time."));
  }
  // A cache returns the original date of a stored answer, and its age in seconds.
  const gatewayTime = date + (amountOf(headers.age) ?? 0) * 1_000;
  const ahead = now - gatewayTime;
  if (Math.abs(ahead) <= skewMs) {
    const seconds = numberText(Math.abs(Math.round(ahead / 1_000)));
    return { status: 'ok', detail: l10n.t("This computer's clock and the gateway's differ by {0} s.", seconds) };
  }
  const minutes = numberText(Math.round(Math.abs(ahead) / minuteMs));
  return {
    status: 'warning',
    detail:
      ahead > 0
        ? l10n.t("This computer's clock is {0} min ahead of the gateway's.", minutes)
        : l10n.t("This computer's clock is {0} min behind the gateway's.", minutes),
    remedy: l10n.t('Set the clock. With a wrong clock, certificates and keys can look expired or not yet valid.'),
  };
}

/** A proxy or CDN in front of a gateway. */
type Intermediary = {
  readonly isThere: (headers: Headers) => boolean;
  /** Names it, and says how it affects answers. */
  readonly effect: () => string;
  /** It buffers replies, so that they arrive all at once. */
  readonly isBuffering?: true;
};

/** Intermediaries that response headers reveal, with their known effect on a stream. */
const intermediaries: readonly Intermediary[] = [
  {
    isThere: (headers) => headers['cf-ray'] !== undefined || /cloudflare/i.test(headers.server ?? ''),
    effect: () =>
      l10n.t('Cloudflare is in front of the gateway. It ends a request after about two minutes without data.'),
  },
  {
    isThere: (headers) => headers['x-amz-cf-id'] !== undefined || /cloudfront/i.test(headers.via ?? ''),
    effect: () =>
      l10n.t(
        'CloudFront is in front of the gateway. Unless configured otherwise, it ends a request after 30 s without data.',
      ),
  },
  {
    isThere: (headers) =>
      /nginx|openresty|tengine/i.test(headers.server ?? '') && headers['x-accel-buffering']?.trim() !== 'no',
    effect: () => l10n.t('nginx is in front of the gateway. It buffers answers unless proxy_buffering is off.'),
  },
  {
    isThere: (headers) => headers['x-amz-apigw-id'] !== undefined || headers['apigw-requestid'] !== undefined,
    effect: () =>
      l10n.t("Amazon API Gateway is in front of the gateway. It buffers answers unless it's configured for streaming."),
    isBuffering: true,
  },
];

/**
 * Reports what free calls show about streaming.
 *
 * @param plain the answer to a request without compression, if there was one.
 */
export function checkStreaming(
  answer: BoundedAnswer,
  plain: BoundedAnswer | undefined,
  tls: TlsFacts | undefined,
): CheckFinding {
  const { headers } = answer;
  const found = intermediaries.filter(({ isThere }) => isThere(headers));
  const encoding = plain?.headers['content-encoding']?.trim().toLowerCase();
  const isCompressed = encoding !== undefined && encoding !== '' && encoding !== 'identity';
  const headerTexts = ['server', 'via', 'cf-ray'].flatMap((name) => {
    const value = headers[name]?.trim();
    return value ? [`${name}: ${value.slice(0, 200)}`] : [];
  });
  const facts = [
    tls?.alpn !== undefined && l10n.t('Protocol: {0}.', tls.alpn),
    headerTexts.length > 0 && l10n.t('Headers: {0}.', headerTexts.join('; ')),
    ...found.map(({ effect }) => effect()),
    isCompressed &&
      l10n.t('Answers are compressed although this was not requested ({0}). That delays streaming.', encoding),
  ].filter((fact) => fact !== false);
  const detail = sentences(
    ...(facts.length > 0 ? facts : [l10n.t('No proxy or CDN was detected in front of the gateway.')]),
    l10n.t('Only a question, which is a paid call, shows whether answers are streamed.'),
  );
  return isCompressed || found.some(({ isBuffering }) => isBuffering)
    ? {
        status: 'warning',
        detail,
        remedy: l10n.t("If answers arrive all at once, ask the gateway's support to turn this off for streaming."),
      }
    : { status: 'ok', detail };
}
