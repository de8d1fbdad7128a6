import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import * as l10n from '@vscode/l10n';
import {
  ageText,
  configureLocalization,
  dateText,
  listText,
  localization,
  numberText,
  plural,
  sentences,
} from '../../../../src/core/base/localization.ts';
import { moneyText } from '../../../../src/core/base/money.ts';

afterEach(() => configureLocalization({ language: 'en' }));

test('shows texts, numbers, plurals, dates and ages in the language of the translations', () => {
  configureLocalization({
    language: 'zh-cn',
    texts: { 'Ask {0}': '向 {0} 提问', '{0} {1}/Two sentences': '{0}{1}' },
  });
  assert.equal(localization().language, 'zh-cn');
  assert.equal(l10n.t('Ask {0}', 'gpt-5'), '向 gpt-5 提问');
  assert.equal(plural(1, 'one', 'other'), 'other');
  assert.equal(ageText(3, 'day'), '3天前');
  assert.equal(listText(['a', 'b', 'c']), 'a、b、c');
  assert.equal(moneyText({ amount: 0.25, unit: 'USD' }), '$0.25', 'as consoles of gateways write it');
  assert.equal(sentences('好。', undefined, '再试。', false, ''), '好。再试。');
  assert.match(dateText(Date.UTC(2026, 10, 22, 12)), /^2026年11月2[123]日/);
  assert.equal(l10n.t('Not translated'), 'Not translated');
});

test('uses English formats where there are no translations for the display language', () => {
  configureLocalization({ language: 'de' });
  assert.equal(localization().language, 'en');
  assert.equal(l10n.t('Ask {0}', '{1}'), 'Ask {1}');
  assert.equal(plural(1, 'one', 'other'), 'one');
  assert.equal(plural(0, 'one', 'other'), 'other');
  assert.equal(numberText(12_345.5), '12,345.5');
  assert.equal(numberText(0.123, { style: 'percent' }), '12%');
  assert.equal(ageText(1, 'day'), '1 day ago');
  assert.equal(listText(['a', 'b', 'c']), 'a, b, and c');
  assert.equal(sentences('One.', 'Two.', 'Three.'), 'One. Two. Three.');
});
