import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { RunResult, ScenarioResult } from '../run/results.ts';
import { junitReport } from './junit.ts';
import { textReport } from './text.ts';

const RUN: RunResult = {
  passed: false,
  assertions: [
    {
      text: 'fills (bot): 0',
      place: 'a.yaml:3:5',
      atMs: 30_000,
      passed: true,
      expected: '0',
      actual: '0',
    },
    {
      text: 'balance BTC (bot): at least 0.5',
      place: 'a.yaml:4:5',
      atMs: 30_000,
      passed: false,
      expected: 'at least 0.5',
      actual: '0.1',
      because: 'Why.',
    },
  ],
  stateHash: 'ab'.repeat(32),
  logPosition: 17,
  steps: 30,
  rejections: { INVALID_PRICE: 2 },
  capsule: 'a.capsule',
  durationMs: 1234,
};
const RESULT: ScenarioResult = {
  file: 'a.yaml',
  title: 'Title',
  lesson: 'Lesson',
  bot: 'bot.ts',
  seed: 1,
  passed: false,
  isRepeatable: true,
  runs: [RUN],
};

/** Parses XML with the browser's rules: throws unless it is well-formed. Returns tags with their attributes. */
function parseXml(
  xml: string,
): { name: string; attributes: Record<string, string>; text: string }[] {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  const decode = (text: string) =>
    text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
      code === undefined ? entities[name]! : String.fromCodePoint(Number(code)),
    );
  for (const character of xml) {
    const isAllowed = character >= ' ' || character === '\n';
    if (!isAllowed) throw new Error(`XML has no ${character.codePointAt(0)}`);
  }
  const token =
    /<\?xml [^?]*\?>|<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<&\p{Cs}]|&(?:amp|lt|gt|quot|apos|#9|#10|#13);)+/gu;
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: string[] = [];
  let at = 0;
  for (const match of xml.matchAll(token)) {
    if (match.index !== at) throw new Error(`not XML from ${xml.slice(at, at + 50)}`);
    at += match[0].length;
    const [, isEnd, name, attributes = '', isEmpty, text] = match;
    if (text !== undefined && found.length > 0) found.at(-1)!.text += decode(match[0]);
    if (name === undefined) continue;
    if (isEnd) {
      if (open.pop() !== name) throw new Error(`${name} ends, but is not open`);
      continue;
    }
    if (!isEmpty) open.push(name);
    const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)];
    const values = Object.fromEntries(pairs.map(([, key, value]) => [key!, decode(value!)]));
    found.push({ name, attributes: values, text: '' });
  }
  if (at !== xml.length || open.length > 0) throw new Error('the XML does not end');
  return found;
}

test('JUnit XML has a suite per scenario, a case per expectation, and their counts', () => {
  const tags = parseXml(junitReport([RESULT]));
  expect(tags.map(({ name }) => name)).toEqual([
    'testsuites',
    'testsuite',
    'testcase',
    'testcase',
    'failure',
  ]);
  expect(tags[1]!.attributes).toEqual({
    name: 'Title',
    file: 'a.yaml',
    tests: '2',
    failures: '1',
    errors: '0',
    skipped: '0',
    time: '1.234',
  });
  expect(tags[3]!.attributes.name).toBe('balance BTC (bot): at least 0.5');
  expect(tags[4]!.attributes.message).toBe('expected at least 0.5, is 0.1');
  expect(tags[4]!.text).toContain('after 30 s (a.yaml:4:5)\nWhy.');
});

test('an error and unequal runs are cases too', () => {
  const error = { message: 'The bot failed\nat line 2', place: 'a.yaml:1:1', atMs: 0 };
  const broken = { ...RUN, assertions: [], error };
  const other = { ...RUN, stateHash: 'cd'.repeat(32) };
  const result = { ...RESULT, isRepeatable: false, runs: [broken, other] };
  const tags = parseXml(junitReport([result]));
  expect(tags.map(({ name }) => name)).toEqual([
    'testsuites',
    'testsuite',
    'testcase',
    'error',
    'testcase',
    'failure',
  ]);
  expect(tags[3]!.attributes.message).toBe('The bot failed');
  expect(tags[1]!.attributes).toMatchObject({ tests: '2', failures: '1', errors: '1' });
  const text = textReport([result]);
  expect(text).toContain('The bot failed');
  expect(text).toContain('2 runs ended in different states');
  expect(text).toContain(`run 2: position 17, ${'cd'.repeat(32)}`);
});

test('any title and text is escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, actual) => {
      const [first, second] = RUN.assertions;
      const run = { ...RUN, assertions: [first!, { ...second!, actual, because: title }] };
      const tags = parseXml(junitReport([{ ...RESULT, title, runs: [run] }]));
      expect(tags).toHaveLength(5);
      const valid = title.replace(
        /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
        '\ufffd',
      );
      expect(tags[1]!.attributes.name).toBe(valid);
    }),
  );
});

test('the text names what failed, where, and what it is', () => {
  expect(textReport([RESULT])).toBe(`FAILED  Title  (a.yaml, bot.ts)
  ✓ fills (bot): 0
  ✗ balance BTC (bot): at least 0.5
      is 0.1 after 30 s (a.yaml:4:5)
      Why.
  Rejected requests of the bot: 2 INVALID_PRICE
  30 steps, log position 17, state abababababababab
  Capsule: a.capsule (replay it with buttonwood capsule run a.capsule)

0 of 1 passed, 1 failed (1.2 s).`);
});
