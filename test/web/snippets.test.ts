import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SNIPPET_IDS, SNIPPETS } from '../../web/bots/snippets.ts';

const document = readFileSync(join(import.meta.dir, '../../docs/bots/README.md'), 'utf8');
const DOCUMENTED = { origin: 'http://127.0.0.1:3000', apiKey: 'YOUR_API_KEY' };
const OTHER = { origin: 'https://exchange.example', apiKey: 'bwk_0123456789abcdef' };

test('there is one snippet for each id, in their order', () => {
  expect(SNIPPETS.map(({ id }) => id)).toEqual([...SNIPPET_IDS]);
});

test.each(SNIPPETS)('docs/bots/README.md has the configuration of $title', (snippet) => {
  const { title, language, command, toText } = snippet;
  expect(document).toContain(`## ${title}\n`);
  expect(document).toContain(`\`\`\`${language}\n${toText(DOCUMENTED)}\`\`\`\n`);
  expect(document).toContain(`\`\`\`sh\n${command}\n\`\`\`\n`);
});

test.each(SNIPPETS)(
  '$title has the address and the key of the exchange and never a secret',
  (snippet) => {
    const text = snippet.toText(OTHER);
    expect(text).toContain('https://exchange.example/binance');
    if (text.includes('ws')) expect(text).not.toContain('ws://');
    expect(text).not.toMatch(/127\.0\.0\.1|bws_/);
    if (snippet.id !== 'hummingbot') expect(text).toContain(OTHER.apiKey);
    if (snippet.language === 'json') expect(JSON.parse(text).exchange.only_from_ccxt).toBe(true);
  },
);
