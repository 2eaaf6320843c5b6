/**
 * Texts of the pages in the user's language. The English text is the key: code stays readable, and a text without a
 * translation is shown in English. `npm run generate` collects all texts in web/messages/en.json for translators.
 * A word with several meanings names one after `||`, which is not shown: `t('Open||price')`.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { catalog, languageCache } from './catalog.ts';

export type MessageValue = string | number | Date;

/** Formats by English text: parsing one takes far longer than formatting with it. */
const formats = languageCache<IntlMessageFormat>();

/**
 * Returns a text in the user's language.
 * @param text A literal, in ICU MessageFormat: `t('Buy {asset}', { asset })`, `t('{count, plural, one {# order} other {# orders}}', { count })`.
 * @throws Error if a value of the text is missing
 */
export function t(text: string, values?: Readonly<Record<string, MessageValue>>): string {
  const isPlain = catalog.accentuate === undefined || isAccented(text);
  if (values === undefined && isPlain) return translation(text);
  return String(formatFor(text).format(values as Record<string, string>));
}

/** Returns whether a text is one of the pseudo-locale already: shared components translate titles that may be translated. */
function isAccented(text: string): boolean {
  return text.startsWith('[');
}

/** Marks a text of a constant, which is translated when it is shown: `t(label)`. Returns it unchanged. */
export function msg<Text extends string>(text: Text): Text {
  return text;
}

/** Returns the text in the user's language, or in English. */
function translation(text: string): string {
  return catalog.messages[text] ?? toEnglish(text);
}

/** Returns the English text of a key, which may name a meaning after `||`. */
export function toEnglish(key: string): string {
  const end = key.indexOf('||');
  return end === -1 ? key : key.slice(0, end);
}

/** Returns the format of a text in the user's language. @throws SyntaxError if the text is not valid */
export function formatFor(text: string): IntlMessageFormat {
  let format = formats.get(text);
  if (format === undefined) {
    const { language, accentuate } = catalog;
    format = new IntlMessageFormat(translation(text), language);
    if (accentuate !== undefined) format = new IntlMessageFormat(accentuate(format.getAst()), 'en');
    formats.set(text, format);
  }
  return format;
}
