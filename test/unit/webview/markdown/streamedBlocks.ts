import assert from 'node:assert/strict';
import type { MarkdownNode } from '../../../../src/webview/markdown/markdownNode.ts';
import { MarkdownStream } from '../../../../src/webview/markdown/markdownStream.ts';

/** Stores blocks as the page would. */
export class Blocks {
  blocks: MarkdownNode[] = [];
  #finished = 0;

  settle(from: number, blocks: readonly MarkdownNode[]): void {
    assert.ok(from >= this.#finished, 'a finished block is changed again');
    this.#finished = from + blocks.length;
    this.blocks.splice(from, blocks.length, ...blocks);
  }

  show(from: number, blocks: readonly MarkdownNode[]): void {
    assert.ok(from >= this.#finished, 'a finished block is changed again');
    this.#finished = from;
    this.blocks.splice(from, this.blocks.length - from, ...blocks);
  }

  grow(code: string): void {
    const last = this.blocks.at(-1);
    assert.ok(typeof last === 'object' && last.kind === 'code', 'only a code block grows');
    this.blocks[this.blocks.length - 1] = { ...last, text: last.text + code };
  }

  showRest(text: string): void {
    const last = this.blocks.at(-1);
    if (typeof last === 'string') {
      this.blocks[this.blocks.length - 1] = last + text;
    } else {
      this.blocks.push(text);
    }
  }
}

/** The blocks of a text that arrives in these pieces; each piece is shown before the next one arrives. */
export function streamed(pieces: Iterable<string>): readonly MarkdownNode[] {
  const sink = new Blocks();
  const stream = new MarkdownStream(sink);
  for (const piece of pieces) {
    stream.append(piece);
    stream.advance();
  }
  stream.end();
  stream.advance();
  assert.equal(stream.hasWork, false);
  return sink.blocks;
}

/** What is shown after each letter of a text, and at its end. */
export function letterByLetter(text: string, shown: (blocks: readonly MarkdownNode[]) => string) {
  const sink = new Blocks();
  const stream = new MarkdownStream(sink);
  const whileStreaming = [...text].map((letter) => {
    stream.append(letter);
    stream.advance();
    return shown(sink.blocks);
  });
  stream.end();
  stream.advance();
  return { whileStreaming, end: shown(sink.blocks) };
}
