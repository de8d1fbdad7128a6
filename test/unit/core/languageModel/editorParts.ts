import { Buffer } from 'node:buffer';
import type { LanguageMessage, LanguagePart, PartReading } from '../../../../src/core/languageModel/languageRequest.ts';

/** Stands in for the class of `vscode`, with the same fields. */
export class TextPart {
  readonly value: string;
  readonly audience = undefined;
  constructor(value: string) {
    this.value = value;
  }
}

/** Stands in for the class of `vscode`, with the same fields. */
export class ThinkingPart {
  readonly value: string | string[];
  readonly id = undefined;
  readonly metadata = undefined;
  constructor(value: string | string[]) {
    this.value = value;
  }
}

export const reading: PartReading = {
  isThinking: (part) => part instanceof ThinkingPart,
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
};

const roles = { user: 1, assistant: 2, system: 3 } as const;

/** A message as VS Code passes it to a provider. */
export function editorMessage({ role, parts }: LanguageMessage): object {
  return { role: roles[role], name: undefined, content: parts.map(editorPart) };
}

function editorPart(part: LanguagePart): object {
  switch (part.type) {
    case 'text':
      return new TextPart(part.text);
    case 'thinking':
      return new ThinkingPart(part.text);
    case 'image_url': {
      const [, mimeType, base64 = ''] = /^data:([^;]+);base64,(.*)$/.exec(part.image_url.url) ?? [];
      return { mimeType, data: new Uint8Array(Buffer.from(base64, 'base64')), audience: undefined };
    }
    case 'toolCall':
      return { callId: part.id, name: part.name, input: part.input };
    case 'toolResult':
      return { callId: part.id, content: part.parts.map(editorPart), isError: undefined };
    default:
      return part satisfies never;
  }
}
