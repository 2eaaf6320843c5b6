import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');

/** Returns the test files and test titles that the document names. */
function claims(): { path: string; names: string[] }[] {
  const text = readFileSync(join(ROOT, 'docs/SECURITY.md'), 'utf8').replace(/\s+/g, ' ');
  const found: { path: string; names: string[] }[] = [];
  for (const [, path, name] of text.matchAll(/`((?:src|test)\/[\w/.-]+)`|“([^”]+)”/g)) {
    if (path !== undefined) found.push({ path, names: [] });
    else found.at(-1)?.names.push(name!);
  }
  return found;
}

test('every test that docs/SECURITY.md names exists', () => {
  const missing = claims().flatMap(({ path, names }) => {
    if (!existsSync(join(ROOT, path))) return [path];
    const source = readFileSync(join(ROOT, path), 'utf8').replace(/\\'/g, "'");
    const isThere = (name: string) =>
      [`'${name}'`, `"${name}"`].some((quoted) => source.includes(quoted));
    return names.filter((name) => !isThere(name)).map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
  expect(claims().flatMap(({ names }) => names).length).toBeGreaterThan(40);
});

test.each([
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/RELIABILITY.md',
  'docs/SECURITY.md',
  'docs/operating.md',
  'docs/decisions.md',
])('every file and script that %s names exists', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const files = text.matchAll(/`((?:src|test|simulation|bench|docs|examples|web)\/[\w/.-]+)`/g);
  const absent = [...files]
    .map(([, path]) => path!)
    .filter((path) => !existsSync(join(ROOT, path)));
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const unknown = [...text.matchAll(/npm run ([a-z]+(?::[a-z]+)*)/g)]
    .map(([, name]) => name!)
    .filter((name) => scripts[name] === undefined);
  expect([...absent, ...unknown]).toEqual([]);
});
