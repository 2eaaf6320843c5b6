import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  checkCode,
  checkDocument,
  checkSubjects,
  checkText,
  type Finding,
} from '../scripts/language/rules.ts';
import { EXCEPTIONS, RETIRED_TERMS } from '../scripts/language/terms.ts';

const ROOT = join(import.meta.dir, '..');
const found = (findings: readonly Finding[]) =>
  findings.map(({ file, line, rule, text }) => `${file}:${line}: ${rule}: ${text}`);

describe('a planted sample of each rule is found, with its file and line', () => {
  test.each([
    ['// It is told.', 'a.ts:2: retired term: told'],
    ["export const text = 'Whoever signs in';", 'a.ts:2: retired term: Whoever'],
    ['export const text = `it goes on`;', 'a.ts:2: retired term: goes on'],
    ['export class HouseAccount {}', 'a.ts:2: retired term: House'],
    ['export const isPerson = 1;', 'a.ts:2: retired term: Person'],
    ['export const personName = 1;', 'a.ts:2: retired term: person'],
    ['export const feesOf = 1;', 'a.ts:2: retired term: feesOf'],
    ['const NEW_PERSON = 1;', 'a.ts:2: retired term: PERSON'],
    ['const MOST_TRIES = 1;', 'a.ts:2: retired term: MOST_TRIES'],
    ['/** What was sent. */', 'a.ts:2: headless doc comment: What was sent. '],
    ['/**\n * Of a batch, its bytes.\n */', 'a.ts:2: headless doc comment: Of a batch, its bytes.'],
    ['/** How long it waits. */', 'a.ts:2: headless doc comment: How long it waits. '],
    ['/** Where it is. */', 'a.ts:2: headless doc comment: Where it is. '],
    ['/** All that is needed. */', 'a.ts:2: headless doc comment: All that is needed. '],
    ['interface Heard {}', 'a.ts:2: retired term: Heard'],
    ['type LastSaid = 1;', 'a.ts:2: retired term: Said'],
    ['// XXX later', 'a.ts:2: unfinished work: XXX'],
  ])('%s', (line, finding) => {
    expect(found(checkCode('a.ts', `const x = 1;\n${line}`))).toEqual([finding]);
  });

  test('the text of an element', () => {
    const text = 'export const a = (\n  <p>People of bob</p>\n);';
    expect(found(checkCode('a.tsx', text))).toEqual(['a.tsx:2: retired term: People']);
  });

  test.each([
    ['This is told to all.', 'a.md:2: retired term: told'],
    ['See [that](docs/absent.md#x).', 'a.md:2: dead link: docs/absent.md#x'],
    ['\n|  |  |\n|---|---|\n| a | b |', 'a.md:4: table without header: |---|---|'],
  ])('in a document: %s', (line, finding) => {
    expect(found(checkDocument('a.md', `# Title\n${line}\n`, ROOT))).toEqual([finding]);
  });

  test.each([
    ['# Trading goes on.', 'a.yaml:2: retired term: goes on'],
    ['# XXX later', 'a.yaml:2: unfinished work: XXX'],
  ])('in a configuration file: %s', (line, finding) => {
    expect(found(checkText('a.yaml', `a: 1\n${line}\n`))).toEqual([finding]);
  });

  test('a long subject of a commit', () => {
    const subjects = [`abc ${'x'.repeat(72)}`, `def ${'x'.repeat(73)}`];
    expect(found(checkSubjects(subjects))).toEqual([
      `commit def:1: commit subject: ${'x'.repeat(73)}`,
    ]);
  });
});

test.each([
  'const person_id = row.person_id;',
  "import { a } from './people.ts';",
  'const indexOf = schema.oneOf; const shareOfBalance = 1; const timeOfDay = 2;',
  'const household = 1; const deskew = 2; const personal = 3; const underground = 4;',
  '/** The batch that is being synced. */',
  '/** All open orders. */',
  '// No message was heard for a second, as said above.',
  '// What a reader sees first is the book.',
])('not found: %s', (line) => {
  expect(found(checkCode('a.ts', line))).toEqual([]);
});

test('code in a document is not prose', () => {
  const text =
    '# Title\n```sh\nbuttonwood told\n```\nThe table `people` has a [link](README.md).\n';
  expect(found(checkDocument('a.md', text, ROOT))).toEqual([]);
});

test('each retired term has a replacement, each exception a reason', () => {
  for (const { instead } of RETIRED_TERMS) expect(instead).not.toBe('');
  for (const { reason, pattern } of EXCEPTIONS) {
    expect(reason).not.toBe('');
    expect(RETIRED_TERMS.map((term) => term.pattern)).toContain(pattern);
  }
});
