import { describe, expect, test } from 'bun:test';
import { CLIENT, TestUsers } from '../../testing/test-users.ts';
import { Guesses, guessCounters } from './guesses.ts';

const START_MS = Date.UTC(2026, 0, 5, 12);
const EMAIL = 'carol@example.com';

function waitFor(guesses: Guesses, ...given: Parameters<Guesses['begin']>): number {
  try {
    guesses.begin(...given);
    return 0;
  } catch (error) {
    return (error as { retryAfterSeconds: number }).retryAfterSeconds;
  }
}

describe('Guesses', () => {
  test('after some free guesses each wrong one doubles the wait, up to 15 minutes', () => {
    const guesses = new Guesses();
    const pair = guessCounters.unknown(EMAIL, '192.0.2.1');
    let now = START_MS;
    const waits: number[] = [];
    for (let count = 0; count < 18; count++) {
      const wait = waitFor(guesses, pair, now);
      waits.push(wait);
      now += wait * 1000;
      if (wait > 0) guesses.begin(pair, now);
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  test('a right guess resets the narrowest counter and counts for none', () => {
    const guesses = new Guesses();
    const pair = guessCounters.unknown(EMAIL, '192.0.2.1');
    for (let count = 0; count < 5; count++) guesses.begin(pair, START_MS);
    guesses.begin(pair, START_MS + 1000);
    guesses.clear(pair);
    for (let count = 0; count < 5; count++) expect(waitFor(guesses, pair, START_MS + 1000)).toBe(0);
    expect(waitFor(guesses, pair, START_MS + 1000)).toBe(1);
  });

  test('guesses from many addresses slow each other, but not a known browser', () => {
    const guesses = new Guesses();
    for (let count = 0; count < 20; count++) {
      guesses.begin(guessCounters.unknown(EMAIL, `192.0.2.${count}`), START_MS);
    }
    expect(waitFor(guesses, guessCounters.unknown(EMAIL, '198.51.100.1'), START_MS)).toBe(1);
    expect(waitFor(guesses, guessCounters.known('device'), START_MS)).toBe(0);
    expect(
      waitFor(guesses, guessCounters.unknown('other@example.com', '198.51.100.1'), START_MS),
    ).toBe(0);
  });

  test('an address that tries many accounts is slowed, too', () => {
    const guesses = new Guesses();
    for (let count = 0; count < 50; count++) {
      guesses.begin(guessCounters.unknown(`someone${count}@example.com`, '192.0.2.1'), START_MS);
    }
    expect(waitFor(guesses, guessCounters.unknown(EMAIL, '192.0.2.1'), START_MS)).toBe(1);
  });

  test('unchecked guesses leave no counts, however many there are', () => {
    const guesses = new Guesses();
    const own = [{ name: 'own', free: 2 }];
    guesses.begin(own, START_MS);
    guesses.begin(own, START_MS);
    for (let count = 0; count < 200_000; count++) {
      const flood = [{ name: `flood ${count}`, free: 5 }];
      guesses.begin(flood, START_MS);
      guesses.retract(flood);
    }
    expect(waitFor(guesses, own, START_MS)).toBe(1);
  });

  test('all /64 networks of one IPv6 /48 are slowed together', () => {
    const guesses = new Guesses();
    // The gateway's scopes of 2001:db8:7:0::1 and so on: 32 bits, and 32 bits.
    const scope = (network: number, count: number) =>
      `20010db8:${(network * 65536 + count).toString(16)}::/64`;
    const from = (network: number, count: number) =>
      guessCounters.unknown(`${network}-${count}@example.com`, scope(network, count));
    for (let count = 0; count < 100; count++) guesses.begin(from(7, count), START_MS);
    expect(waitFor(guesses, from(7, 100), START_MS)).toBe(1);
    expect(waitFor(guesses, from(8, 100), START_MS)).toBe(0);
    expect(waitFor(guesses, guessCounters.passkey(scope(7, 1)), START_MS)).toBe(0);
  });

  test('a flood of counters does not evict one that is in use', () => {
    const guesses = new Guesses();
    const own = [{ name: 'own', free: 2 }];
    guesses.begin(own, START_MS);
    guesses.begin(own, START_MS);
    for (let count = 0; count < 200_000; count++) {
      guesses.begin([{ name: `flood ${count}`, free: 5 }], START_MS);
      if (count % 10_000 === 0) expect(waitFor(guesses, own, START_MS)).toBe(1);
    }
  });
});

describe('signing in', () => {
  test('during an attack the owner signs in from a known browser, or after a password reset', async () => {
    const test_ = await TestUsers.open();
    await test_.addUser(EMAIL);
    const { device } = await test_.signIn(EMAIL);
    for (let count = 0; count < 40; count++) {
      const scope = `198.51.100.${count}`;
      await expect(test_.signIn(EMAIL, 'a wrong guess', undefined, { scope })).rejects.toThrow();
    }
    await expect(test_.signIn(EMAIL)).rejects.toThrow('wait');
    await test_.signIn(EMAIL, undefined, undefined, { device });
    await test_.users.signUp.requestReset(EMAIL);
    const password = 'a field full of poppies';
    const trusted = await test_.users.resetPassword(test_.token, password);
    await test_.signIn(EMAIL, password, undefined, { device: trusted });
    await expect(test_.signIn(EMAIL, password, undefined, { device })).rejects.toThrow('wait');
    await test_.users.close();
  });

  test('a known browser has its own counter', async () => {
    const test_ = await TestUsers.open();
    await test_.addUser(EMAIL);
    const { device } = await test_.signIn(EMAIL);
    for (let count = 0; count < 10; count++) {
      await expect(test_.signIn(EMAIL, 'wrong', undefined, { device })).rejects.toThrow();
    }
    await expect(test_.signIn(EMAIL, undefined, undefined, { device })).rejects.toThrow('wait');
    test_.now += 1000;
    await test_.signIn(EMAIL, undefined, undefined, { device });
    await test_.users.close();
  });

  test('signing in ends the session of the browser and never adopts a planted one', async () => {
    const test_ = await TestUsers.open();
    await test_.addUser(EMAIL);
    const first = await test_.signIn(EMAIL);
    const second = await test_.signIn(EMAIL, undefined, undefined, { session: first.secret });
    expect(second.secret).not.toBe(first.secret);
    const { sessions } = test_.users;
    expect(await sessions.find(first.secret)).toBeUndefined();
    expect(await sessions.find(second.secret)).toBeDefined();
    const planted = 'A'.repeat(43);
    const third = await test_.signIn(EMAIL, undefined, undefined, {
      ...CLIENT,
      session: planted,
    });
    expect(third.secret).not.toBe(planted);
    expect(await sessions.find(planted)).toBeUndefined();
    await test_.users.close();
  });
});
