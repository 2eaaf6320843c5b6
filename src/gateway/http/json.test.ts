import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  JSON_RULES,
  JsonError,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  MAX_DEPTH,
  quote,
  readJsonObject,
} from './json.ts';

const encoder = new TextEncoder();

function read(text: string): JsonObject | JsonError {
  return readJsonObject(encoder.encode(text));
}

function expectRefused(text: string, rule: keyof typeof JSON_RULES, field?: string): void {
  expect(read(text)).toEqual(new JsonError(rule, field));
}

/** Converts a value to what JSON.parse returns: doubles for numbers, ordinary objects. */
function asPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(asPlain);
  if (value === null || typeof value !== 'object') return value;
  const plain = {};
  for (const [field, inner] of Object.entries(value)) {
    Object.defineProperty(plain, field, {
      value: asPlain(inner),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return plain;
}

/** Returns all number literals of a valid text, in order. */
function numberLiterals(text: string): string[] {
  return tokens(text).filter((token) => /^[-0-9]/.test(token));
}

function listLiterals(value: JsonValue): string[] {
  if (value instanceof JsonNumber) return [value.text];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(listLiterals);
}

/** Returns the tokens of a text that JSON.parse accepts. */
function tokens(text: string): string[] {
  return text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? [];
}

/** Checks the rules beyond JSON.parse, in a simple way, on the tokens of a valid text. */
function isStrict(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  const all = tokens(text);
  if (all[0] !== '{') return false;
  for (const [index, token] of all.entries()) {
    if (token === '{') open.push(new Set());
    if (token === '[') open.push(undefined);
    if (open.length > MAX_DEPTH) return false;
    if (token === '}' || token === ']') open.pop();
    if (!token.startsWith('"')) continue;
    const string: string = JSON.parse(token);
    if (!string.isWellFormed()) return false;
    if (all[index + 1] !== ':') continue;
    const fields = open.at(-1)!;
    if (fields.has(string)) return false;
    fields.add(string);
  }
  return true;
}

function expectAgreement(text: string): void {
  const result = read(text);
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    expect(result).toBeInstanceOf(JsonError);
    return;
  }
  if (!isStrict(text)) {
    expect(result).toBeInstanceOf(JsonError);
    return;
  }
  expect(result).not.toBeInstanceOf(JsonError);
  expect(asPlain(result as JsonObject)).toEqual(expected);
}

const ORDER =
  '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.10000000,"price":118000.25}';

describe('readJsonObject', () => {
  test('reads an order and keeps its number literals', () => {
    const order = read(ORDER) as JsonObject;
    expect(order.symbol).toBe('BTC/USDT');
    expect(order.amount).toEqual(new JsonNumber('0.10000000'));
    expect(order.price).toEqual(new JsonNumber('118000.25'));
    expect(order.toString).toBeUndefined();
  });

  test('keeps number literals of any length', () => {
    for (const literal of ['-0', '0e0', '1E+5', '9'.repeat(16_000), `1e${'0'.repeat(500)}1`]) {
      expect((read(`{"a":${literal}}`) as JsonObject).a).toEqual(new JsonNumber(literal));
    }
  });

  test('returns the rule that each invalid body breaks', () => {
    expectRefused('', 'emptyBody');
    expectRefused(' \r\n\t', 'emptyBody');
    expectRefused('\ufeff{}', 'byteOrderMark');
    for (const text of ['[]', '"a"', '1', 'null', 'true', '[{}]']) {
      expectRefused(text, 'notAnObject');
    }
    expectRefused('{"a":1,"b":2,"a":3}', 'duplicateKey', 'a');
    expectRefused('{"a":null,"\\u0061":null}', 'duplicateKey', 'a');
    expectRefused('{"x":[{"__proto__":1,"__proto__":2}]}', 'duplicateKey', '__proto__');
    for (const text of ['{"a":"\\ud800"}', '{"a":"\\udc00\\ud800"}', '{"\\udfff":1}']) {
      expectRefused(text, 'loneSurrogate');
    }
  });

  test.each([
    '{',
    '}',
    '{]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a":1 "b":2}',
    '{"a":1}}',
    '{"a":1}x',
    '{"a":1}\0',
    '{"a":[1,]}',
    '{"a":[,1]}',
    '{"a":[1 2]}',
    '{"a":[1}',
    "{'a':1}",
    '{a:1}',
    '{"a":NaN}',
    '{"a":-Infinity}',
    '{"a":undefined}',
    '{"a":True}',
    '{"a":nul}',
    '{"a":truee}',
    '{"a":+1}',
    '{"a":01}',
    '{"a":-}',
    '{"a":-01}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":1.e5}',
    '{"a":1e}',
    '{"a":1e+}',
    '{"a":0x10}',
    '{"a":1_000}',
    '{"a":"b}',
    '{"a":"b\\"}',
    '{"a":"\n"}',
    '{"a":"\\n\t"}',
    '{"a":"\\x41"}',
    '{"a":"\\u00g0"}',
    '{"a":"\\u041',
    '{"a":"\\u+041"}',
    '{"a":"\\',
    '{"a":1/*comment*/}',
    '{\u00a0"a":1}',
    '{\v"a":1}',
  ])('rejects %j as malformed', (text) => {
    expectRefused(text, 'malformedJson');
  });

  test('allows at most 8 levels of nesting', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(read(nested(MAX_DEPTH))).not.toBeInstanceOf(JsonError);
    expectRefused(nested(MAX_DEPTH + 1), 'tooDeep');
    expectRefused('{"a":'.repeat(MAX_DEPTH + 1), 'tooDeep');
    expectRefused('['.repeat(16_000), 'tooDeep');
  });

  test.each([
    ['a continuation byte alone', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a character cut short', [0xe2, 0x82]],
    ['a byte that UTF-8 never uses', [0xff]],
  ])('rejects %s', (_, bytes) => {
    const body = new Uint8Array([...encoder.encode('{"a":"'), ...bytes, ...encoder.encode('"}')]);
    expect(readJsonObject(body)).toEqual(new JsonError('invalidUtf8'));
  });

  test('reads names such as __proto__ as ordinary fields', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":null,"0":"zero"}';
    const object = read(text) as JsonObject;
    expect(Object.keys(object).sort()).toEqual(['0', '__proto__', 'constructor', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(object)).toBeNull();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('reads characters of every length, escaped or not', () => {
    const object = read('{"ключ":"\\ud83d\\ude00 é😀\ufeff\\u0000\\/\\b\\f\\n\\r\\t\\"\\\\\x7f"}');
    expect((object as JsonObject).ключ).toBe('😀 é😀\ufeff\0/\b\f\n\r\t"\\\x7f');
  });

  test('reads a view into a larger buffer', () => {
    const body = encoder.encode(`xx${ORDER}xx`).subarray(2, 2 + ORDER.length);
    expect((readJsonObject(body) as JsonObject).side).toBe('buy');
  });

  test('returns strings that do not keep the body in memory', () => {
    const padding = ' '.repeat(16_000);
    const kept: JsonValue[] = [];
    Bun.gc(true);
    const before = heapStats().extraMemorySize;
    for (let count = 0; count < 600; count++) {
      const id = `"my-bot-${1_000_000 + count}"`;
      const bodies = [
        `{"id":${id}}`,
        `{"id":${id.replace('-', '\\u002d')}}`,
        `{"id":${id},"a":"ü"}`,
      ];
      for (const body of bodies) kept.push((read(body + padding) as JsonObject).id!);
    }
    Bun.gc(true);
    expect(kept.length).toBe(1_800);
    expect(heapStats().extraMemorySize - before).toBeLessThan(2_000_000);
  });
});

describe('against JSON.parse', () => {
  const json = fc
    .tuple(fc.json({ maxDepth: 10 }), fc.json(), fc.constantFrom('a', '\\u0061', '__proto__'))
    .map(([first, second, field]) => `{"a":${first}, "${field}" :\n${second}}`);

  test('accepts the same texts, except for the stricter rules, with the same values', () => {
    fc.assert(fc.property(json, expectAgreement), { numRuns: 1_000 });
  });

  test('does so for damaged texts too', () => {
    const pieces = [...'{}[]:,"\\u0019-+.eE \n\té', 'null', 'true', '\\ud83d', '\\n', '"a":', '\0'];
    const damage = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...pieces));
    const texts = fc.tuple(json, fc.array(damage, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(texts, ([text, damages]) => {
        let damaged = text;
        for (const [place, removed, piece] of damages) {
          const at = place % (damaged.length + 1);
          damaged = damaged.slice(0, at) + piece + damaged.slice(at + removed);
        }
        expectAgreement(damaged.toWellFormed());
      }),
      { numRuns: 5_000 },
    );
  });

  test('keeps every number literal', () => {
    const literal = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?([eE][+-]?\d{1,4})?$/);
    fc.assert(
      fc.property(fc.array(literal), (literals) => {
        const text = `{"a":[${literals.join(' , ')}]}`;
        expect(listLiterals(read(text) as JsonObject)).toEqual(numberLiterals(text));
        expectAgreement(text);
      }),
    );
  });

  test('rejects arbitrary bytes without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const body = new Uint8Array([0x7b, ...bytes]);
        const result = readJsonObject(body);
        if (result instanceof JsonError) expect(JSON_RULES[result.rule]).toBeString();
        else expectAgreement(new TextDecoder('utf-8', { fatal: true }).decode(body));
      }),
    );
  });
});

test('quote returns a JSON string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(quote(text))).toBe(text);
      expect(quote(text).isWellFormed()).toBe(true);
    }),
  );
});
