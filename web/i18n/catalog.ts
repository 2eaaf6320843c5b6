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

export function setCatalog(loaded: Catalog): void {
  catalog = loaded;
}
