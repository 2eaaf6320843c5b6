import { describe, expect, test } from 'bun:test';
import { CHEAP } from '../../testing/test-users.ts';
import { checkPassword, Passwords } from './passwords.ts';

const EMAIL = 'carol.meadow@example.com';
/** 256 characters. */
const LONGEST = Array.from({ length: 64 }, (_, at) =>
  (7919 * (at + 1)).toString(36).slice(-4).padEnd(4, '-'),
).join('');

describe('a password is rejected', () => {
  test.each([
    ['too short', 'elevenchars', 'length'],
    ['too long', 'x1'.repeat(129), 'length'],
    ['a common one', '1q2w3e4r5t6y', 'notCommon'],
    ['a common one in capitals', 'MOTHERFUCKER', 'notCommon'],
    ['one character', 'aaaaaaaaaaaaa', 'notCommon'],
    ['a word over and over', 'abc123abc123abc123', 'notCommon'],
    ['the address', 'carol.meadow@example.com', 'notCommon'],
    ['its name', 'Carol.Meadow99', 'notCommon'],
    ['its name and the exchange’s', 'carol.meadow@buttonwood', 'notCommon'],
    ['the exchange’s name', 'buttonwood123', 'notCommon'],
    ['the exchange’s name and a common one', 'ButtonwoodPassword1', 'notCommon'],
    ['another’s name and the exchange’s', 'alice@buttonwood', 'notCommon'],
    ['a common one with a suffix', 'Password123!', 'notCommon'],
    ['a short common one with a suffix', 'iloveyou1234', 'notCommon'],
    ['another with a suffix', 'letmein12345', 'notCommon'],
    ['digits in a row', '1234567890123', 'notCommon'],
    ['digits in a row, backwards', '9876543210987', 'notCommon'],
    ['one digit and another', '111111111112', 'notCommon'],
    ['letters in a row', 'abcdefghijkl', 'notCommon'],
    ['rows of letters and digits', 'abcdefgh1234', 'notCommon'],
    ['spaces and a letter', `${' '.repeat(12)}a`, 'notCommon'],
    ['a common one with substituted letters', 'P@55w0rd2024!', 'notCommon'],
    ['a common one twice', 'trustno1trustno1', 'notCommon'],
    ['a pattern on the keyboard', '1qaz2wsx3edc4rfv', 'notCommon'],
    ['a word and a year', 'Summer2024!!', 'notCommon'],
    ['a part of the address with substituted letters', 'c4r0l!me4d0w', 'notCommon'],
    ['a long repetition', `x${'y z'.repeat(85)}`, 'notCommon'],
  ])('%s', (_, password, rule) => {
    expect(() => checkPassword(password, EMAIL)).toThrow(expect.objectContaining({ rule }));
  });

  test.each([
    'twelve chars',
    'only small letters',
    'correct horse battery',
    'Tr0ub4dor&3xyzzy',
    'carol.meadow sings at noon',
    '83051947260418',
    '🌳🌲🌴🌵🌾🌿🍀🍁🍂🍃🌱🌷',
    LONGEST,
  ])('but not %s', (password) => {
    checkPassword(password, EMAIL);
  });
});

test.each([
  ['digits', (at: number) => `${(at * at * 7 + at * 3) % 10}`],
  ['substituted letters', (at: number) => 'p455w0rd!'[at % 9]!],
  ['dates', (at: number) => '01/02/1990 '[at % 11]!],
  ['one digit', () => '1'],
  ['keyboard rows', (at: number) => 'qwertyuiop[]asdfghjkl;'[at % 22]!],
])('256 hostile characters do not keep the check busy: %s', (_, character) => {
  const password = Array.from({ length: 256 }, (_, at) => character(at)).join('');
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    try {
      checkPassword(password, EMAIL);
    } catch (error) {
      expect(error).toMatchObject({ rule: 'notCommon' });
    }
    return performance.now() - start;
  });
  // It takes some 15 ms on an idle machine; one that grows faster than the square of the length takes seconds.
  expect(Math.min(...times)).toBeLessThan(500);
});

describe('hashing', () => {
  test('treats the same characters typed on different keyboards as equal', async () => {
    const passwords = new Passwords(CHEAP);
    const hash = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9', '');
    expect(await passwords.verify('cafe\u0301 cafe\u0301 cafe\u0301', hash, '')).toBe(true);
    expect(await passwords.verify('cafe cafe cafe', hash, '')).toBe(false);
  });

  test('the check for an unknown user fails after the same work', async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('a password of no one', '');
    expect(hash).toContain('m=19456,t=2');
    expect(await passwords.verify('a password of no one', '', '')).toBe(false);
  });

  test('a flood is rejected, and waiting hashes are completed', async () => {
    const passwords = new Passwords(CHEAP);
    const all = Array.from({ length: 200 }, (_, index) =>
      passwords.hash('a meadow full of clover', `${index}`),
    );
    const outcomes = await Promise.allSettled(all);
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeGreaterThan(30);
    expect(done).toBeLessThan(100);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ name: 'HashingOverloadedError' });
      }
    }
    expect(await passwords.hash('a meadow full of clover', '')).toStartWith('$argon2id$');
  });

  test('a flood from one address does not delay other addresses', async () => {
    const passwords = new Passwords(CHEAP);
    const done: string[] = [];
    const hash = async (group: string) => {
      await passwords.hash('a meadow full of clover', group);
      done.push(group);
    };
    // The flood takes all concurrent hashes, and two of it wait.
    const flood = Array.from({ length: 100 }, () => hash('flood'));
    const others = ['a', 'b', 'c'].map(hash);
    const rejected = (await Promise.allSettled(flood)).filter(
      ({ status }) => status === 'rejected',
    );
    await Promise.all(others);
    expect(rejected.length).toBe(103 - done.length);
    expect(rejected.length).toBeGreaterThan(50);
    expect(done.lastIndexOf('flood')).toBeGreaterThan(done.indexOf('a'));
    expect(done.slice().sort().slice(0, 3)).toEqual(['a', 'b', 'c']);
  });
});
