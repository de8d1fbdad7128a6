import type { LanguageMessage, LanguagePart } from './languageMessage.ts';

/** What vendors charge for an image of usual size, in tokens. */
const imageTokens = 1_000;
/** Role and borders of a message. */
const messageTokens = 4;
/** UTF-16 units of a language written with letters that make a token, on the careful side. */
const unitsOfToken = 3.5;
/** From here on a unit is about a token of its own: Chinese, Japanese, Korean, emoji. */
const firstWide = 0x2e80;

/** An estimate that is rather too high: the gateway's tokenizers are not known. Only for making a prompt fit. */
export function countTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= firstWide) {
      wide++;
    }
  }
  return Math.ceil(wide + (text.length - wide) / unitsOfToken);
}

/** The same for a message with all that is in it. */
export function countMessageTokens({ parts }: LanguageMessage): number {
  return parts.reduce((sum, part) => sum + partTokens(part), messageTokens);
}

function partTokens(part: LanguagePart): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return countTokens(part.text);
    case 'image':
      return imageTokens;
    case 'toolCall':
      return messageTokens + countTokens(part.id + part.name + JSON.stringify(part.input));
    case 'toolResult':
      return part.parts.reduce((sum, each) => sum + partTokens(each), messageTokens + countTokens(part.id));
    default:
      return part satisfies never;
  }
}
