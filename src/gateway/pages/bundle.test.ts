import { expect, test } from 'bun:test';
import { brotliCompressSync } from 'node:zlib';
import { type Asset, bundle } from './bundle.ts';

const MAX_FIRST_KILOBYTES = 150;

test('the script that the trading page needs for its first paint is small', async () => {
  const { assets, entries } = await bundle(['pages/trade.tsx']);
  const first = withImports(assets, entries.get('trade')!.script);
  const bytes = first.map(({ content }) => brotliCompressSync(content).length);
  expect(bytes.reduce((sum, each) => sum + each) / 1000).toBeLessThan(MAX_FIRST_KILOBYTES);
  expect(first.length).toBeLessThan(assets.size);
});

/** Returns a script and all that it imports, without what it loads later. */
function withImports(assets: ReadonlyMap<string, Asset>, script: string): readonly Asset[] {
  const found = new Map<string, Asset>();
  const waiting = [script];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const asset = assets.get(name)!;
    found.set(name, asset);
    const text = Buffer.from(asset.content).toString();
    for (const [, imported] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
      waiting.push(imported!);
  }
  return [...found.values()];
}
