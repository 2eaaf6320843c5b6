/** Languages by BCP 47 tag, each named in itself. `en-XA` is the pseudo-locale that finds untranslated texts. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  zh: '中文',
  ja: '日本語',
  'en-XA': '[Pseudo]',
} as const;
export type Language = keyof typeof LANGUAGES;

/**
 * Returns the offered language that a browser prefers; English if it prefers none.
 * @param wanted BCP 47 tags, such as `de-AT`, the preferred one first
 * @param complete The languages in complete.json
 */
export function preferredLanguage(
  wanted: readonly string[],
  complete: readonly string[],
): Language {
  const offered = offeredLanguages(complete, false);
  for (const tag of wanted) {
    const [primary] = tag.toLowerCase().split('-');
    const found = offered.find((id) => id === primary);
    if (found !== undefined) return found;
  }
  return 'en';
}

/**
 * Returns the languages that users can choose: English and the complete ones; in a sandbox also the pseudo-locale.
 * @param complete The languages in complete.json, which `npm run generate` writes.
 */
export function offeredLanguages(complete: readonly string[], isSandbox: boolean): Language[] {
  return (Object.keys(LANGUAGES) as Language[]).filter(
    (id) => id === 'en' || complete.includes(id) || (id === 'en-XA' && isSandbox),
  );
}
