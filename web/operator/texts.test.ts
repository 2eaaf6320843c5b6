import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** English texts that the operator page would show without the messages of the user's language. */
const UNTRANSLATED = [
  // Attributes.
  /\b(?:title|lead|caption|label|empty|hint|none|placeholder|dismiss|verb)="[A-Z][^"]*"/g,
  // Titles of columns.
  /\btitle: '[^']*'/g,
  // Messages.
  /\b(?:announce|new \w*Error)\((?:'\w+', )?['"`][A-Z]/g,
  // Words of the API, which scripts/messages.ts cannot collect.
  /\bt\(sentenceCase/g,
  // A line of a text between tags.
  /^ +[A-Z][A-Za-z ,.'…-]*[a-z.…]$/gm,
];

test('the texts of the operator page are translated', () => {
  const files = readdirSync(import.meta.dir).filter((name) =>
    /^(?!.*\.test\.)\w.*\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((name) => {
    const source = readFileSync(join(import.meta.dir, name), 'utf8');
    return UNTRANSLATED.flatMap((pattern) =>
      (source.match(pattern) ?? []).map((text) => `${name}: ${text.trim()}`),
    );
  });
  expect(found).toEqual([]);
});
