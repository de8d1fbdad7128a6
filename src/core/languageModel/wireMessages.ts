import type { ContentPart, WireMessage } from '../client/chatRequest.ts';
import type { LanguageMessage, LanguagePart } from './languageMessage.ts';
import type { CallFacts } from './toolCallMemory.ts';

/**
 * Converts the messages of other extensions into the order that gateways require: tool results directly after the
 * calls, then the rest of the user's turn. Images of tool results and of the model are sent with the next user message,
 * because only user messages may contain images. Blank texts and messages are left out, and a blank tool result gets a
 * word, because vendors reject requests with blank text (wire section 4).
 *
 * @param factsOf what is remembered about a call, by its id.
 */
export function wireMessages(
  messages: readonly LanguageMessage[],
  factsOf: (id: string) => CallFacts | undefined,
): WireMessage[] {
  const wire: WireMessage[] = [];
  let images: ContentPart[] = [];
  let turn: ContentPart[][] = [];
  const endTurn = () => {
    for (const content of images.length > 0 ? [images, ...turn] : turn) {
      wire.push({ role: 'user', content: plain(content) });
    }
    images = [];
    turn = [];
  };
  for (const { role, parts } of messages) {
    const text = textOf(parts);
    switch (role) {
      case 'system':
        endTurn();
        if (text !== undefined) {
          wire.push({ role, content: text });
        }
        break;
      case 'user':
        for (const part of parts) {
          if (part.type === 'toolResult') {
            wire.push({ role: 'tool', tool_call_id: part.id, content: textOf(part.parts) ?? '(no text)' });
            images.push(...imagesOf(part.parts));
          }
        }
        turn.push(...[contentOf(parts)].filter((content) => content.length > 0));
        break;
      case 'assistant':
        endTurn();
        wire.push(...assistant(parts, text, factsOf));
        images.push(...imagesOf(parts));
        break;
      default:
        role satisfies never;
    }
  }
  endTurn();
  return wire;
}

function assistant(
  parts: readonly LanguagePart[],
  text: string | undefined,
  factsOf: (id: string) => CallFacts | undefined,
): WireMessage[] {
  const calls = parts.flatMap((part) => (part.type === 'toolCall' ? [{ ...part, ...factsOf(part.id) }] : []));
  if (calls.length === 0) {
    return text === undefined ? [] : [{ role: 'assistant', content: text }];
  }
  const givenReasoning = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
  const reasoning = givenReasoning === '' ? calls.find((call) => call.reasoning)?.reasoning : givenReasoning;
  return [
    {
      role: 'assistant',
      content: text ?? null,
      ...(reasoning && { reasoning_content: reasoning }),
      tool_calls: calls.map(({ id, name, input, extra }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
        ...(extra && { extra_content: extra }),
      })),
    },
  ];
}

/** @returns undefined when the text is blank. */
function textOf(parts: readonly LanguagePart[]): string | undefined {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return text.trim() === '' ? undefined : text;
}

function imagesOf(parts: readonly LanguagePart[]): ContentPart[] {
  return contentOf(parts).filter(({ type }) => type === 'image_url');
}

/** The texts and images of a message; adjacent texts are joined. */
function contentOf(parts: readonly LanguagePart[]): ContentPart[] {
  const content: ContentPart[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    if (part.type === 'image') {
      content.push({ type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.base64}` } });
    } else if (part.type === 'text' && last?.type === 'text') {
      content[content.length - 1] = { type: 'text', text: last.text + part.text };
    } else if (part.type === 'text') {
      content.push({ type: 'text', text: part.text });
    }
  }
  return content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
}

/** Sends text alone as a string, because lists of parts break older gateways (wire section 4). */
function plain(content: readonly ContentPart[]): string | readonly ContentPart[] {
  const [first, second] = content;
  return first?.type === 'text' && second === undefined ? first.text : content;
}
