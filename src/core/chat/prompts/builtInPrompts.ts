import * as l10n from '@vscode/l10n';
import type { NamedPrompt } from './namedPrompt.ts';
import { written } from './promptVariables.ts';

/**
 * The prompts that come with the extension.
 *
 * @param hasProblems whether VS Code reports problems in the selected code, which a fix has to consider.
 */
export function builtInPrompts(hasProblems: boolean): readonly NamedPrompt[] {
  const [selection, problems] = [written('selection'), written('problems')];
  const [changes, language] = [written('changes'), written('language')];
  return [
    {
      name: 'explain',
      description: l10n.t('Explain the selected code'),
      text: l10n.t('Explain {0}: what it does, how it works, and what is unusual about it.', selection),
    },
    {
      name: 'fix',
      description: l10n.t('Find and fix what is wrong in the selected code'),
      text: hasProblems
        ? l10n.t(
            'Find what is wrong in {0} and fix it. Consider {1}. Say what was wrong and show the corrected code.',
            selection,
            problems,
          )
        : l10n.t('Find what is wrong in {0} and fix it. Say what was wrong and show the corrected code.', selection),
    },
    {
      name: 'tests',
      description: l10n.t('Write tests for the selected code'),
      text: l10n.t(
        'Write tests for {0} in {1}. Cover the usual cases, the limits and the errors.',
        selection,
        language,
      ),
    },
    {
      name: 'document',
      description: l10n.t('Write documentation comments for the selected code'),
      text: l10n.t(
        'Write documentation comments for {0} as is usual in {1}. Leave the code as it is.',
        selection,
        language,
      ),
    },
    {
      name: 'improve',
      description: l10n.t('Make the selected code simpler and easier to read'),
      text: l10n.t(
        'Improve {0}: make it simpler and easier to read without changing what it does. Say what you changed and why.',
        selection,
      ),
    },
    {
      name: 'review',
      description: l10n.t('Review the selected code'),
      text: l10n.t(
        'Review {0}. List defects, risks and unclear parts, the most important first, each with a suggestion.',
        selection,
      ),
    },
    {
      name: 'commit',
      description: l10n.t('Write a commit message for the uncommitted changes'),
      text: l10n.t(
        'Write a commit message for {0}: a subject line of at most 72 characters in the imperative, a blank line, then what changed and why.',
        changes,
      ),
    },
  ];
}
