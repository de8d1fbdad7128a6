import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';

type Setting = {
  readonly type?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly properties?: Readonly<Record<string, Setting>>;
};
type Group = { readonly title: string; readonly properties: Readonly<Record<string, Setting>> };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const groups: readonly Group[] = JSON.parse(read('package.json')).contributes.configuration;

const pages = [
  {
    path: 'docs/settings.md',
    texts: 'package.nls.json',
    head: '# Settings\n\nEnglish | [简体中文](zh-cn/settings.md)\n',
  },
  {
    path: 'docs/zh-cn/settings.md',
    texts: 'package.nls.zh-cn.json',
    head: '# 设置\n\n[English](../settings.md) | 简体中文\n',
  },
];

for (const { path, texts, head } of pages) {
  test(`${path} is what the manifest says; UPDATE=1 writes it`, () => {
    const all: Readonly<Record<string, string>> = JSON.parse(read(texts));
    const textOf = (name: string) => all[name.replaceAll('%', '')] ?? name;
    const about = ({ description, markdownDescription }: Setting) => textOf(markdownDescription ?? description ?? '');
    const page = [
      head,
      ...groups.flatMap(({ title, properties }) => [
        `## ${textOf(title)}\n`,
        ...Object.entries(properties).flatMap(([name, setting]) => [
          `### \`${name}\`\n`,
          `${about(setting)}\n`,
          ...(setting.type === 'object' && setting.properties
            ? [
                `${Object.entries(setting.properties)
                  .map(([key, part]) => `- \`${key}\`: ${about(part)}`)
                  .join('\n')}\n`,
              ]
            : []),
        ]),
      ]),
    ].join('\n');
    if (process.env.UPDATE) {
      writeFileSync(join(projectRoot, path), page);
    }
    assert.equal(read(path), page);
  });
}
