import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../src/gateway/openapi/openapi.ts';
import { type OpenApi, readOperations } from './documents.ts';
import { listLanguages, writeCurl, writeRequest } from './requests.ts';

const ROOT = join(import.meta.dir, '../..');
const BASE = 'https://x.example';
const entries = readOperations(openApiDocument(true) as unknown as OpenApi).flatMap(
  (section) => section.entries,
);
const find = (id: string) => entries.find((entry) => entry.id === id)!;
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test('a request has required parameters, credentials and a body', () => {
  expect(writeCurl(find('getCandles'), BASE)).toBe(`curl "${BASE}/api/candles?symbol=BTC/USDT"`);
  const placed = writeCurl(find('placeOrder'), BASE);
  expect(placed).toStartWith(`curl -X POST "${BASE}/api/orders" \\\n  -H "Authorization: Bearer`);
  expect(placed).toContain(`-d '{\n    "symbol": "BTC/USDT",\n    "side": "buy"`);
  expect(writeCurl(find('cancelOrder'), BASE)).toContain(`curl -X DELETE "${BASE}/api/orders/1"`);
});

test('TypeScript is valid, and Python has arguments of the client', () => {
  const python = read('python/src/buttonwood/_api/endpoints.py');
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  for (const entry of entries) {
    const languages = listLanguages(entry);
    if (languages.includes('TypeScript')) {
      const code = writeRequest(entry, 'TypeScript', BASE);
      expect(transpiler.transformSync(code)).toContain(`client.${entry.id}(`);
    }
    if (!languages.includes('Python')) continue;
    const [, name, passed] = /client\.(\w+)\(([\s\S]*)\)\nprint/.exec(
      writeRequest(entry, 'Python', BASE),
    )!;
    const [, accepted] = new RegExp(`def ${name}\\(([\\s\\S]*?)\\) ->`).exec(python) ?? [];
    expect([entry.id, accepted]).not.toEqual([entry.id, undefined]);
    for (const [, argument] of passed!.matchAll(/^ {4}(\w+)=/gm)) {
      expect(accepted).toContain(` ${argument}: `);
    }
  }
  expect(writeRequest(find('placeOrder'), 'Python', BASE)).toContain('    symbol="BTC/USDT",');
  expect(writeRequest(find('getPrices'), 'TypeScript', BASE)).not.toContain('apiKey');
  expect(listLanguages(find('signIn'))).toEqual(['cURL']);
});
