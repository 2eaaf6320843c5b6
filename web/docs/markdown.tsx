import { Marked } from 'marked';

const marked = new Marked({ gfm: true });

/** A text of the API documents, which are part of this exchange: nothing in them comes from users. */
export function Markdown({ text }: { text: string }) {
  if (text === '') return null;
  const html = marked.parse(text, { async: false });
  // The documents are in English whatever the language of the pages.
  return <div class="markdown" lang="en" dangerouslySetInnerHTML={{ __html: html }} />;
}
