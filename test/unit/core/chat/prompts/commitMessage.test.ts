import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitQuestion, commitText } from '../../../../../src/core/chat/prompts/commitMessage.ts';

test('takes the message out of what models put around it', () => {
  const message = 'Round half up\n\n- keeps `cents`\n- "quotes" stay';
  for (const answer of [
    message,
    `\n${message}  \n`,
    `\`\`\`\n${message}\n\`\`\``,
    `\`\`\`text\r\n${message.replaceAll('\n', '\r\n')}\r\n\`\`\`\r\n`,
    `~~~~\n${message}\n~~~~`,
    `Here is the commit message:\n\n\`\`\`gitcommit\n${message}\n\`\`\`\n\nTell me if it should be shorter.`,
    `**Commit message:**\n${message}`,
    `Commit Message: ${message}`,
  ]) {
    assert.equal(commitText(answer), message);
  }
  for (const [answer, text] of [
    ['"Add a test"', 'Add a test'],
    ["'Add a test'", 'Add a test'],
    ['“添加测试”', '添加测试'],
    ['`Add a test`', 'Add a test'],
    ['提交消息：修复舍入', '修复舍入'],
    ['"Add" and "remove"', '"Add" and "remove"'],
    ['Fix a fence\n\n```\nstays\n```', 'Fix a fence\n\n```\nstays\n```'],
    ['```\n```', ''],
    [' \n', ''],
  ] as const) {
    assert.equal(commitText(answer), text);
  }
});

test('keeps a subject in the line of a fence (gethnet/litellm-connector-copilot#57, Blarc/ai-commits-intellij-plugin#332)', () => {
  for (const [answer, text] of [
    ['```feat: add a theme```', 'feat: add a theme'],
    ['``` feat: add a theme ```', 'feat: add a theme'],
    ['```feat: add a theme\n\n- the `dark` one\n```', 'feat: add a theme\n\n- the `dark` one'],
    ['Here is it:\n```Add a theme\n\nThe dark one.\n```', 'Add a theme\n\nThe dark one.'],
    ['docs: explain ``` in Markdown', 'docs: explain ``` in Markdown'],
  ] as const) {
    assert.equal(commitText(answer), text);
  }
});

test('takes the message out of bold and of a tag (douo/magit-gptcommit#19, Nutlope/aicommits#283)', () => {
  for (const [answer, text] of [
    ['**chore: add a theme**', 'chore: add a theme'],
    ['**chore: add a theme**\n\n- the **dark** one', 'chore: add a theme\n\n- the **dark** one'],
    ['```\n**chore: add a theme**\n```', 'chore: add a theme'],
    ['Update the cursor.<commit message>', 'Update the cursor.'],
    ['<commit_message>\nUpdate the cursor.\n</commit_message>', 'Update the cursor.'],
    ['<commit_message>\n```\nUpdate the cursor.\n```\n</commit_message>', 'Update the cursor.'],
    [
      'Read <commit_message> too\n\nModels write `<commit_message>`.',
      'Read <commit_message> too\n\nModels write `<commit_message>`.',
    ],
    ['**chore**: add a theme', '**chore**: add a theme'],
  ] as const) {
    assert.equal(commitText(answer), text);
  }
});

test('takes the message out of thoughts, an introduction and remarks (maxbolgarin/gitbasher#76, Aider-AI/aider#975, fynnfluegge/codereview.ai#2)', () => {
  const message = 'feat(net): add a provider\n\n- one: two';
  for (const answer of [
    `Looking at the diff, I can identify the following changes:\n\n1. A provider\n\n${message}`,
    `Here's a commit message:\n\n${message}`,
    `${message}\n\nThe commit message follows the Conventional Commits guidelines:\n\nfeat(net): add a provider`,
    `${message}\n\nPlease note that these commit messages are just suggestions.`,
  ]) {
    assert.equal(commitText(answer), message);
  }
  assert.equal(commitText("Based on the changes, here's the commit message:\n\n**Add a net**"), 'Add a net');
  for (const text of [
    'Changes:\n\n- fix: a',
    'feat: add:\n\nfix: b',
    'Read the commit message again\n\nThe commit message is read twice.',
    // These are about what the texts above have around a message.
    'Fix the commit message of merges:\n\n- keep trailers',
    'Add keys to the config:\n\nbuild: the command',
    'Check commit messages\n\nThe commit message follows the template.\n\nCloses #1',
    'Check commit messages\n\nThe commit message is only checked here.\n\nCloses #1',
    'Document git ai <commit-message>',
    'Document tags\n\nThey are at the start and at the end, where\n<commit-message> is one.',
  ]) {
    assert.equal(commitText(text), text);
  }
});

test('takes a long answer apart in a short time', () => {
  for (const text of [`a${'\n'.repeat(100_000)}b`, `Here is a ${'commit message '.repeat(20_000)}`.trim()]) {
    const began = performance.now();
    assert.equal(commitText(text), text);
    assert.ok(performance.now() - began < 1_000);
  }
});

test('asks for the language and the style of the last commits, and has the note', () => {
  assert.equal(
    commitQuestion('Write it. ', ' fixes #12\n', ['feat: add', 'fix: 修复']),
    [
      'Write it.',
      'Use the language and the style of the last commits:\n- feat: add\n- fix: 修复',
      'Consider this note. Keep lines that git or a template put there:\nfixes #12',
      'Answer with the commit message alone.',
    ].join('\n\n'),
  );
  assert.equal(commitQuestion('Write it.', '\n', []), 'Write it.\n\nAnswer with the commit message alone.');
});
