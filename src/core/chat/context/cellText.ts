import * as z from 'zod/mini';
import { parseJson } from '../../base/loose.ts';
import { terminalText } from './terminalText.ts';

/** One output of a cell: the same content in one or more formats, or pieces of a stream. */
export type CellOutput = readonly { readonly mime: string; readonly data: Uint8Array }[];

/** The maximum length of a cell's output, in UTF-16 units. Of a longer one, the end is included: an error is there. */
export const cellOutputLimit = 20_000;
/** As much of the end of an output is read, in bytes: a notebook may have hundreds of MB of it. */
const readLimit = 10 * cellOutputLimit;
const separator = '\n\n--- Output ---\n';
const streams = ['application/vnd.code.notebook.stdout', 'application/vnd.code.notebook.stderr'];
const errorType = 'application/vnd.code.notebook.error';
const thrown = z.object({ name: z.optional(z.string()), message: z.optional(z.string()) });

/**
 * A cell of a notebook as text: its source and, if it has output, a blank line, the line `--- Output ---` and the
 * output. Of an error, that has name and message; of a picture or another output that is not text, only its type.
 */
export function cellText(source: string, outputs: readonly CellOutput[]): string {
  let printed = '';
  let isCut = false;
  for (let at = outputs.length - 1; at >= 0 && !isCut; at--) {
    const output = outputs[at] ?? [];
    const text = outputText(output);
    printed = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${printed}`;
    isCut = printed.length > readLimit || output.some(({ data }) => data.length > readLimit);
  }
  const { text, cut } = terminalText(printed, cellOutputLimit);
  if (text === '') {
    return source;
  }
  return `${source}${separator}${isCut || cut > 0 ? '(The beginning is left out.)\n' : ''}${text}`;
}

/** The source in the text of a cell. */
export function cellSource(text: string): string {
  return text.split(separator, 1)[0] ?? '';
}

function outputText(output: CellOutput): string {
  const texts = output.filter(({ mime }) => streams.includes(mime));
  if (texts.length > 0) {
    return texts.map(({ data }) => decoded(data)).join('');
  }
  const best = output.find(({ mime }) => mime === errorType) ?? output.find(({ mime }) => mime === 'text/plain');
  if (best === undefined) {
    return output[0] === undefined ? '' : `[${output[0].mime}]`;
  }
  return best.mime === errorType ? errorText(decoded(best.data)) : decoded(best.data);
}

function errorText(json: string): string {
  const { data } = z.safeParse(thrown, parseJson(json));
  return data ? [data.name, data.message].filter(Boolean).join(': ') : json;
}

/** The text of data, or its end. */
function decoded(data: Uint8Array): string {
  return new TextDecoder().decode(data.subarray(-readLimit));
}
