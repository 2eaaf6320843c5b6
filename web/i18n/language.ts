import { preference } from '../preferences.ts';
import { type Catalog, setCatalog } from './catalog.ts';

/** Languages by BCP 47 tag, each named in itself. `en-XA` is the pseudo-locale that finds untranslated texts. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  zh: '中文',
  ja: '日本語',
  'en-XA': '[Ƥšéûðö]',
} as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Partial<Record<Language, () => Promise<{ default: Catalog['messages'] }>>> = {
  de: () => import('../messages/de.json'),
  es: () => import('../messages/es.json'),
  zh: () => import('../messages/zh.json'),
  ja: () => import('../messages/ja.json'),
};

/**
 * Returns the languages that users can choose: English and the complete ones; in a sandbox also the pseudo-locale.
 * @param complete The languages in complete.json, which `npm run generate` writes.
 */
export function offeredLanguages(complete: readonly string[], isSandbox: boolean): Language[] {
  return (Object.keys(LANGUAGES) as Language[]).filter(
    (id) => id === 'en' || complete.includes(id) || (id === 'en-XA' && isSandbox),
  );
}

/** The language of the pages. English until the user chooses another, because no other has all texts yet. */
export const language = preference('language', Object.keys(LANGUAGES) as Language[], 'en');

/** Loads the texts of the current language. English needs none. */
export async function loadLanguage(): Promise<void> {
  const chosen = language.peek();
  document.documentElement.lang = chosen;
  // Numbers are formatted and read in the language before its texts have loaded.
  setCatalog({ language: chosen, messages: {} });
  const messages = (await LOADERS[chosen]?.())?.default ?? {};
  const pseudo = chosen === 'en-XA' ? await import('./pseudo.ts') : undefined;
  setCatalog({ language: chosen, messages, ...pseudo });
}
