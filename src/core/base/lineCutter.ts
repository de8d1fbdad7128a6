/** Cuts text that arrives in pieces into lines, which end with a line feed. */
export class LineCutter {
  #rest = '';

  /** What came after the last line feed. */
  get rest(): string {
    return this.#rest;
  }

  /** @returns the lines that this piece completes, without their line feeds. */
  push(piece: string): string[] {
    // Joined without being looked at again, so that one long line costs its length and not its square.
    if (!piece.includes('\n')) {
      this.#rest += piece;
      return [];
    }
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}
