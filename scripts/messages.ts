// Collects the texts of the pages, `t('…')`, `msg('…')` and `<T text="…">`, in web/messages/en.json, sorted, and removes
// those that are no longer used from the other languages. web/i18n/complete.json has the languages that are offered to
// users: npm run generate
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnglish } from '../web/i18n/t.ts';
import {
  collectTexts,
  isComplete,
  LANGUAGE_FILES,
  listCustomerTexts,
  listSources,
  readMessages,
} from './messages/texts.ts';

const root = join(import.meta.dir, '..');
const texts = listSources(root).flatMap((file) =>
  collectTexts(file, readFileSync(join(root, file), 'utf8')),
);
const used = [...new Set(texts)].sort();
write('en', Object.fromEntries(used.map((text) => [text, toEnglish(text)])));
for (const language of LANGUAGE_FILES) {
  const known = readMessages(root, language);
  write(
    language,
    Object.fromEntries(used.flatMap((text) => (text in known ? [[text, known[text]!]] : []))),
  );
}
const customerTexts = listCustomerTexts(root);
const complete = LANGUAGE_FILES.filter((language) =>
  isComplete(customerTexts, readMessages(root, language)),
);
writeFileSync(
  join(root, 'web/i18n/complete.json'),
  `[${complete.map((each) => JSON.stringify(each)).join(', ')}]\n`,
);
console.log(`${used.length} texts of the pages`);

function write(language: string, messages: Readonly<Record<string, string>>): void {
  const path = join(root, 'web/messages', `${language}.json`);
  writeFileSync(path, `${JSON.stringify(messages, null, 2)}\n`);
}
