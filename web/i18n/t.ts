/**
 * Texts of the pages in the user's language. The English text is the key: code stays readable, and a text without a
 * translation is shown in English. `npm run generate` collects all texts in web/messages/en.json for translators.
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
  if (values === undefined && isPlain) return catalog.messages[text] ?? text;
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

/** Returns the format of a text in the user's language. @throws SyntaxError if the text is not valid */
export function formatFor(text: string): IntlMessageFormat {
  let format = formats.get(text);
  if (format === undefined) {
    const { language, messages, accentuate } = catalog;
    format = new IntlMessageFormat(messages[text] ?? text, language);
    if (accentuate !== undefined) format = new IntlMessageFormat(accentuate(format.getAst()), 'en');
    formats.set(text, format);
  }
  return format;
}
