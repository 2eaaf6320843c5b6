import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** The texts of a language. */
export interface Catalog {
  /** BCP 47 tag. */
  readonly language: string;
  /** Texts by the English text; missing ones are shown in English. */
  readonly messages: Readonly<Record<string, string>>;
  /** Changes the texts of the pseudo-locale. */
  readonly accentuate?: (elements: MessageFormatElement[]) => MessageFormatElement[];
}

/** The texts in use, loaded before the page is shown. */
export let catalog: Catalog = { language: 'en', messages: {} };

const caches: Map<string, unknown>[] = [];

export function setCatalog(loaded: Catalog): void {
  catalog = loaded;
  for (const cache of caches) cache.clear();
}

/** Returns a cache of what depends on the language, such as formatters; a change of the language empties it. */
export function languageCache<Value>(): Map<string, Value> {
  const cache = new Map<string, Value>();
  caches.push(cache);
  return cache;
}
