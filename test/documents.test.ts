import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files, tests, scripts and links that the documents name exist, and their form is uniform. */

const ROOT = join(import.meta.dir, '..');
const MAX_LINES_WITHOUT_CONTENTS = 150;
const DOCUMENTS = [
  ...new Bun.Glob('*.md').scanSync(ROOT),
  ...new Bun.Glob('docs/**/*.md').scanSync(ROOT),
].sort();
const packageFile = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const toText = (document: string) => readFileSync(join(ROOT, document), 'utf8');
/** The text without fenced blocks, which may hold anything. */
const readProse = (document: string) => toText(document).replace(/^```[\s\S]*?^```$/gm, '');

/** Test files that docs/security.md names, and the tests it names in them. */
function claims(): { path: string; names: string[] }[] {
  const text = toText('docs/security.md').replace(/\s+/g, ' ');
  const found: { path: string; names: string[] }[] = [];
  for (const [, path, name] of text.matchAll(/`((?:src|test)\/[\w/.-]+)`|“([^”]+)”/g)) {
    if (path !== undefined) found.push({ path, names: [] });
    else found.at(-1)?.names.push(name!);
  }
  return found;
}

test('every test that docs/security.md names exists', () => {
  const missing = claims().flatMap(({ path, names }) => {
    if (!existsSync(join(ROOT, path))) return [path];
    const source = toText(path).replace(/\\'/g, "'");
    const exists = (name: string) =>
      [`'${name}'`, `"${name}"`].some((quoted) => source.includes(quoted));
    return names.filter((name) => !exists(name)).map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
  expect(claims().flatMap(({ names }) => names).length).toBeGreaterThan(40);
});

test.each(DOCUMENTS)('every file, script and link in %s exists', (document) => {
  const text = readProse(document);
  const files = text.matchAll(/`((?:src|test|simulation|bench|docs|examples|web)\/[\w/.-]+)`/g);
  const absent = [...files]
    .map(([, path]) => path!)
    .filter((path) => !existsSync(join(ROOT, path)));
  const unknown = [...toText(document).matchAll(/npm run ([a-z]+(?::[a-z]+)*)/g)]
    .map(([, name]) => name!)
    .filter((name) => packageFile.scripts[name] === undefined);
  expect([...absent, ...unknown, ...brokenLinks(document, text)]).toEqual([]);
});

/** The relative links of a document to a file or a heading that does not exist. */
function brokenLinks(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file, anchor] = link.split('#');
    const path = file === '' ? document : join(dirname(document), file!);
    if (!existsSync(join(ROOT, path))) return true;
    return anchor !== undefined && !findAnchors(path).has(anchor);
  });
}

/** The anchors of a page's headings, as GitHub makes them. */
function findAnchors(document: string): Set<string> {
  const headings = readProse(document).matchAll(/^#+ (.+)$/gm);
  const anchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-');
  return new Set([...headings].map(([, heading]) => anchor(heading!)));
}

test.each(DOCUMENTS)('%s has headers on its tables, and contents if it is long', (document) => {
  const lines = readProse(document).split('\n');
  const isRule = (line: string | undefined) => /^\|[-:| ]+\|$/.test(line ?? '');
  const headers = lines.filter((_line, index) => isRule(lines[index + 1]));
  const empty = headers.filter((line) =>
    line
      .split('|')
      .slice(1, -1)
      .some((cell) => !cell.trim()),
  );
  expect(empty).toEqual([]);
  const isLong = toText(document).split('\n').length > MAX_LINES_WITHOUT_CONTENTS;
  const hasContents = /^## (Contents|\[Unreleased\])/m.test(readProse(document));
  expect(isLong && !hasContents).toBe(false);
});

test('the package has every document that its documents link to', () => {
  const { files } = packageFile as { files: string[] };
  const isPacked = (path: string) =>
    files.some((name) => path === name || path.startsWith(`${name}/`)) &&
    !files.includes(`!${path}`);
  expect(DOCUMENTS.filter((document) => !isPacked(document))).toEqual([]);
});
