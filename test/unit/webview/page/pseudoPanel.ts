import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostMessage } from '../../../../src/protocol/protocol.ts';
import { pseudoText, pseudoTexts, withoutTranslated } from '../../../pseudoLocale.ts';
import { projectRoot } from '../../../vscode/paths.ts';
import { isTranslation, keyOf, parseFile, visit } from '../../syntax.ts';

/** The texts of the panel, by their keys, in a language that is made of its English texts. */
export function pseudoPanel(): Record<string, string> {
  const bundle = JSON.parse(readFileSync(join(projectRoot, 'l10n', 'bundle.l10n.json'), 'utf8'));
  const used: [string, string][] = [];
  for (const path of globSync(['src/webview/**/*.ts', 'src/core/base/{localization,requestSize}.ts'], {
    cwd: projectRoot,
  })) {
    visit(parseFile(join(projectRoot, path)).program, (node) => {
      const key = isTranslation(node) ? (keyOf(node) ?? '') : '';
      if (key !== '') {
        used.push([key, bundle[key]]);
      }
    });
  }
  return pseudoTexts(Object.fromEntries(used));
}

/** A message of the host in the same language: the host's own texts are translated, those from elsewhere are not. */
export function pseudoMessage(message: HostMessage): HostMessage {
  return JSON.parse(JSON.stringify(message), (key, value) => {
    switch (key) {
      case 'remedy':
      case 'due':
      case 'hint':
      case 'note':
      case 'warning':
        return pseudoText(value);
      case 'review':
        return { ...value, title: pseudoText(value.title) };
      case 'objections':
      case 'details':
        return value.map(pseudoText);
      case 'actions':
      case 'answers':
        return value.map((each: { label: string }) => ({ ...each, label: pseudoText(each.label) }));
      case 'footer':
        return value.map(pseudoText);
      case 'calls':
        return { ...value, text: pseudoText(value.text) };
      case 'systemPrompt':
      case 'parameters':
        return { ...value, label: pseudoText(value.label) };
      case 'trouble':
        return { ...value, title: pseudoText(value.title) };
      case 'switched':
        return { ...value, text: pseudoText(value.text) };
      default:
        return value;
    }
  });
}

/** The texts of a message that are names, ids, numbers or a gateway's words, as the panel shows them. */
export function foreignTexts(message: HostMessage): string[] {
  const found: string[] = [];
  JSON.stringify(message, (key, value) => {
    if (/^(?:title|model|echoedModel|host|words)$/.test(key)) {
      found.push(value);
    } else if (key === 'facts') {
      found.push(value.join(' · '));
    } else if (key === 'models') {
      found.push(`${value[0]} +${value.length - 1}`);
    } else if (key === 'systemPrompt') {
      found.push(value.detail);
    } else if (key === 'chips') {
      for (const { label, detail } of value) {
        found.push(label, detail, `${label} ${detail}`);
      }
    }
    return value;
  });
  return found.filter((each) => each !== undefined && withoutTranslated(each) === each);
}
