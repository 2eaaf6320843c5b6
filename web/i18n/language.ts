import { preference } from '../preferences.ts';
import { type Catalog, setCatalog } from './catalog.ts';
import complete from './complete.json';
import { LANGUAGES, type Language, preferredLanguage } from './languages.ts';

const LOADERS: Partial<Record<Language, () => Promise<{ default: Catalog['messages'] }>>> = {
  de: () => import('../messages/de.json'),
  es: () => import('../messages/es.json'),
  zh: () => import('../messages/zh.json'),
  ja: () => import('../messages/ja.json'),
};

/** The language of the pages: that of the browser until the user chooses another. */
export const language = preference(
  'language',
  Object.keys(LANGUAGES) as Language[],
  preferredLanguage(navigator.languages ?? [], complete),
);

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
