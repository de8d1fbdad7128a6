import * as l10n from '@vscode/l10n';

/** The kind of a symbol for a person; `enclosingSymbol` has the words. The word itself is sent to the model. */
export function symbolText(word: string): string {
  switch (word) {
    case 'module':
      return l10n.t('module');
    case 'namespace':
      return l10n.t('namespace');
    case 'class':
      return l10n.t('class');
    case 'method':
      return l10n.t('method');
    case 'constructor':
      return l10n.t('constructor');
    case 'enum':
      return l10n.t('enum');
    case 'interface':
      return l10n.t('interface');
    case 'function':
      return l10n.t('function');
    case 'struct':
      return l10n.t('struct');
    case 'property':
      return l10n.t('property');
    case 'field':
      return l10n.t('field');
    case 'variable':
      return l10n.t('variable');
    case 'constant':
      return l10n.t('constant');
    case 'object':
      return l10n.t('object');
    default:
      // A word of a later version.
      return word || l10n.t('symbol');
  }
}
