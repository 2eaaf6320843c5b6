import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import {
  collectTexts,
  findUntranslated,
  isComplete,
  LANGUAGE_FILES,
  listCustomerSources,
  listCustomerTexts,
  listSources,
  readMessages,
} from '../../scripts/messages/texts.ts';
import { formatTime, grouped, percent } from '../format.ts';
import { setCatalog } from './catalog.ts';
import complete from './complete.json';
import { offeredLanguages, preferredLanguage } from './languages.ts';
import { accentuate } from './pseudo.ts';
import { t, toEnglish } from './t.ts';

const ROOT = join(import.meta.dir, '../..');
const ENGLISH = { language: 'en', messages: {} };

afterEach(() => setCatalog(ENGLISH));

describe('texts', () => {
  test('values are inserted, and plurals follow the language', () => {
    expect(t('Sell {asset} now', { asset: 'BTC' })).toBe('Sell BTC now');
    const orders = '{count, plural, one {# order} other {# orders}}';
    expect([1, 2000].map((count) => t(orders, { count }))).toEqual(['1 order', '2,000 orders']);
  });

  test('a translation is shown, or English if there is none', () => {
    setCatalog({
      language: 'de',
      messages: { 'Cancel {count} offers': '{count} Angebote streichen' },
    });
    expect(t('Cancel {count} offers', { count: 1000 })).toBe('1000 Angebote streichen');
    expect(t('Not translated')).toBe('Not translated');
  });

  test('numbers, times and texts formatted before the language has loaded are formatted again', () => {
    const time = new Date(2026, 4, 5);
    const show = () => [
      grouped('118173.52'),
      percent('2.5'),
      formatTime(time, { month: 'long' }),
      t('Sold {count, number}', { count: 1234.5 }),
    ];
    expect(show()).toEqual(['118,173.52', '+2.50%', 'May', 'Sold 1,234.5']);
    setCatalog({ language: 'de', messages: {} });
    expect(show()).toEqual(['118.173,52', '+2,50%', 'Mai', 'Sold 1.234,5']);
  });

  test('a word with several meanings has one text for each', () => {
    expect(t('Opens||exchange')).toBe('Opens');
    expect(t('{count} sold||coins', { count: 2 })).toBe('2 sold');
    setCatalog({ language: 'de', messages: { 'Opens||exchange': 'Eröffnet', Opens: 'Öffnet' } });
    expect([t('Opens'), t('Opens||exchange')]).toEqual(['Öffnet', 'Eröffnet']);
  });

  test('a missing value is an error', () => {
    expect(() => t('Missing {value}', {})).toThrow('value');
  });

  test('the pseudo-locale accents letters, but no values', () => {
    setCatalog({ language: 'en-XA', messages: {}, accentuate });
    expect(t('Buying {asset}', { asset: 'SUSHI' })).toMatch(/^\[Búýíñĝ SUSHI~+\]$/);
    expect(t('{n, plural, one {# coin} other {# coins}}', { n: 2 })).toMatch(/^\[2 çóíñš~+\]$/);
  });
});

describe('message files', () => {
  const english = readMessages(ROOT, 'en');
  const customerTexts = listCustomerTexts(ROOT);

  test('English has every text of the pages, and no other', () => {
    const texts = listSources(ROOT).flatMap((file) =>
      collectTexts(file, readFileSync(join(ROOT, file), 'utf8')),
    );
    // After a change of texts: npm run generate
    expect(Object.keys(english)).toEqual([...new Set(texts)].sort());
    expect(Object.entries(english).filter(([key, text]) => toEnglish(key) !== text)).toEqual([]);
  });

  test("customers' pages show no literal that is not translated", () => {
    const names =
      /^(Buttonwood|OpenAPI|AsyncAPI|Streams|Error codes|Pound sterling|Japanese yen|Mail to …|…\/binance)$/;
    const found = listCustomerSources(ROOT)
      .filter((file) => !file.startsWith('web/bots/snippets'))
      .flatMap((file) => findUntranslated(file, readFileSync(join(ROOT, file), 'utf8')));
    expect(found.filter(({ text }) => !names.test(text))).toEqual([]);
  });

  test('a language is offered once it has the texts of the pages of customers', () => {
    const wanted = Array.from({ length: 10 }, (_, at) => `text ${at}`);
    const translated = (count: number) =>
      Object.fromEntries(wanted.slice(0, count).map((text) => [text, 'translated']));
    expect(isComplete(wanted, translated(9))).toBe(true);
    expect(isComplete(wanted, translated(8))).toBe(false);
    expect(offeredLanguages(['de'], false)).toEqual(['en', 'de']);
    expect(preferredLanguage(['fr-CH', 'de-CH', 'en'], ['de'])).toBe('de');
    expect(preferredLanguage(['en-GB', 'de'], ['de'])).toBe('en');
    expect(preferredLanguage(['ja', 'en-XA'], ['de'])).toBe('en');
    // The pseudo-locale is for tests.
    expect(offeredLanguages([], true)).toEqual(['en', 'en-XA']);
    // After a change of texts: npm run generate
    const found = LANGUAGE_FILES.filter((language) =>
      isComplete(customerTexts, readMessages(ROOT, language)),
    );
    expect<readonly string[]>(complete).toEqual(found);
  });

  test.each(LANGUAGE_FILES)('%s has all texts of the pages of customers', (language) => {
    const translated = readMessages(ROOT, language);
    expect(customerTexts.filter((text) => !(text in translated))).toEqual([]);
  });

  test.each(LANGUAGE_FILES)('%s has texts of the pages with the same values', (language) => {
    for (const [text, translation] of Object.entries(readMessages(ROOT, language))) {
      expect(Object.keys(english)).toContain(text);
      expect([text, placeholders(translation)]).toEqual([text, placeholders(text)]);
    }
  });
});

/** Returns the names of values and tags in a text, sorted. */
function placeholders(text: string): string[] {
  const names = new Set<string>();
  const visit = (elements: ReturnType<typeof parse>) => {
    for (const element of elements) {
      if ('value' in element && element.type !== TYPE.literal) names.add(element.value);
      if (element.type === TYPE.tag) visit(element.children);
      if ('options' in element)
        for (const option of Object.values(element.options)) visit(option.value);
    }
  };
  visit(parse(text));
  return [...names].sort();
}
