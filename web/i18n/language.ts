import { preference } from '../preferences.ts';
import { type Catalog, setCatalog } from './catalog.ts';
import { LANGUAGES, type Language } from './languages.ts';

const LOADERS: Partial<Record<Language, () => Promise<{ default: Catalog['messages'] }>>> = {
  de: () => import('../messages/de.json'),
  es: () => import('../messages/es.json'),
  zh: () => import('../messages/zh.json'),
  ja: () => import('../messages/ja.json'),
};

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
