/** An input of any length: `start` once, `pump` repeated, then a character that makes the match fail. */
export type WorstInput = { readonly start: string; readonly pump: string };

type Item = {
  /** Texts that it matches, each of a different kind. */
  readonly samples: readonly string[];
  readonly alternatives?: readonly (readonly Item[])[];
  readonly min: number;
  readonly max: number;
};

/** A quantifier that allows at least this many repetitions is tested. */
const testedRepetitions = 30;
const probes = [...'aek0 -_.*/<>:=",%&[]{}()#@+~`令é\n\t\u0002'];

/**
 * Inputs that cause as much backtracking as possible. For each quantifier: the text before it once, then the repeated
 * text; both together, repeated; and the text before it, repeated.
 */
export function worstInputs({ source, flags }: RegExp): WorstInput[] {
  const found = new Map<string, WorstInput>();
  const add = (start: string, pump: string) => pump !== '' && found.set(`${start}\0${pump}`, { start, pump });
  const visit = (alternatives: readonly (readonly Item[])[], before: string): void => {
    for (const items of alternatives) {
      let lead = before;
      for (const { samples, alternatives: inner, min, max } of items) {
        if (inner) {
          visit(inner, lead);
        }
        if (max >= testedRepetitions) {
          for (const sample of samples) {
            add(lead, sample);
            add('', lead + sample.repeat(Math.max(1, min)));
          }
          add('', lead);
        }
        lead += (samples[0] ?? '').repeat(min);
      }
      add('', lead);
      add('', lead.slice(0, -1));
    }
  };
  visit(new Parser(source, flags).alternatives(), '');
  return [...found.values()];
}

/** Parses regular expressions; supports the syntax that this project uses. */
class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gy]/g, '');
  }

  alternatives(): Item[][] {
    const all: Item[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at++;
        all.push([]);
      } else {
        all.at(-1)?.push(this.#item());
      }
    }
    return all;
  }

  #item(): Item {
    const what = this.#source[this.#at] === '(' ? this.#group() : { samples: this.#atom() };
    return { ...what, ...this.#quantity() };
  }

  #group(): Pick<Item, 'samples' | 'alternatives'> {
    const [open = ''] = this.#take(/\((?:\?(?::|=|!|<=|<!|<\w+>))?/y);
    const alternatives = this.alternatives();
    this.#at++;
    const samples = alternatives.slice(0, 4).map((items) => items.map(textOf).join(''));
    return { alternatives, samples: /[=!]$/.test(open) ? [''] : samples };
  }

  #atom(): string[] {
    const [atom = ''] = this.#take(
      /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]+\}|.)|[\s\S]/iy,
    );
    if (/^(?:\\[bB\d]|[\^$])$/.test(atom) && atom !== '\\0') {
      return [''];
    }
    const one = new RegExp(`^(?:${atom})$`, this.#flags);
    const literal = /^[^[.\\]/.test(atom) ? [atom] : /^\\[^\w]$/.test(atom) ? [atom.slice(1)] : [];
    const matching = [...literal, ...probes].filter((probe) => one.test(probe));
    const word = matching.find((probe) => /[a-z]/.test(probe));
    const digit = matching.find((probe) => /\d/.test(probe));
    const blank = matching.find((probe) => /\s/.test(probe));
    const sign = matching.find((probe) => /[^\w\s]/.test(probe));
    const kinds = [word, digit, blank, sign].filter((probe) => probe !== undefined);
    return literal.length > 0 ? literal : kinds.length > 0 ? kinds : [unusualCharacter(one)];
  }

  #quantity(): Pick<Item, 'min' | 'max'> {
    const [whole = '', sign, min, comma, max] = this.#take(/([*+?])\??|\{(\d+)(,?)(\d*)\}\??|(?:)/y);
    if (whole === '') {
      return { min: 1, max: 1 };
    }
    if (sign !== undefined) {
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    }
    const least = Number(min);
    return { min: least, max: max !== '' ? Number(max) : comma === ',' ? Number.POSITIVE_INFINITY : least };
  }

  #take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) {
      throw new Error(`unknown syntax at ${this.#at} of ${this.#source}`);
    }
    this.#at += found[0].length;
    return found;
  }
}

function textOf({ samples, min }: Item): string {
  return (samples[0] ?? '').repeat(min);
}

/** A character that matches a class which contains none of `probes`. */
function unusualCharacter(one: RegExp): string {
  for (let point = 0; point < 0x3100; point++) {
    if (one.test(String.fromCodePoint(point))) {
      return String.fromCodePoint(point);
    }
  }
  return /\\u(\w{4})/.exec(one.source)?.[1] === undefined
    ? ''
    : String.fromCharCode(Number.parseInt(/\\u(\w{4})/.exec(one.source)?.[1] ?? '', 16));
}
