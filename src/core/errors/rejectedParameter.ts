import type { GatewayProblem, ProblemKind } from './gatewayProblem.ts';

/** What gateways say of a parameter that a model doesn't have, or of a value that it doesn't accept (wire Q58). */
const refusal =
  /support|invalid|unknown|unrecogni[sz]ed|unexpected|not (?:permitted|allowed)|range|must be|at most|too (?:large|high|big)|maximum|deprecated|extra inputs|不支持|无效|参数|范围/i;

/** The kinds that a rejected parameter is classified as without it: its message has words of each of them. */
const mistakable: ReadonlySet<ProblemKind> = new Set([
  'requestRejected',
  'contextTooLong',
  'modelUnknown',
  'gatewayDown',
]);

/** What a message says that names the field to use in place of the rejected one. Others name both in any case. */
const replacement = /\b(?:use|instead)\b|改用|使用/i;

/** Fields that a token limit can be sent in. A message that rejects one of them may name the other one. */
const alternatives: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'max_completion_tokens'],
  ['max_completion_tokens', 'max_tokens'],
]);

/**
 * The problem of a call as `parameterRejected` when the gateway's message is about a parameter that was sent; otherwise
 * the problem unchanged.
 *
 * @param options the fields that parameters added to the body.
 */
export function withRejectedParameter(
  problem: GatewayProblem,
  options: Readonly<Record<string, unknown>> | undefined,
): GatewayProblem {
  const { kind, words = '', status, code, requestId } = problem;
  if (options === undefined || !mistakable.has(kind) || !refusal.test(words)) {
    return problem;
  }
  const [first] = Object.keys(options)
    .map((parameter) => ({ parameter, at: positionOf(parameter, words) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  if (first === undefined) {
    return problem;
  }
  const { parameter } = first;
  const other = alternatives.get(parameter);
  const isNamed = other !== undefined && !(other in options) && positionOf(other, words) >= 0;
  const instead = isNamed && replacement.test(words) ? other : undefined;
  return {
    kind: 'parameterRejected',
    parameter,
    ...(instead !== undefined && { instead }),
    words,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Where a text names a parameter; -1 if it doesn't. A name that is also a word, such as `user`, must be in quotes. */
function positionOf(parameter: string, words: string): number {
  const name = parameter.replace(/[^\w\s]/g, '\\$&');
  const isWord = !parameter.includes('_') && parameter !== 'temperature';
  const pattern = isWord ? `["'\`‘“]${name}["'\`’”]` : `(?<![\\w.])${name}(?!\\w)`;
  return words.search(new RegExp(pattern, 'i'));
}
