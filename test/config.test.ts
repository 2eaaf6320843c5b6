import { expect, test } from 'bun:test';
import { readConfig } from '../src/config.ts';

/** Settings of people and mail. */

test('mail and the public address are taken as they are given', () => {
  const env = {
    BUTTONWOOD_SMTP_URL: 'smtps://user:secret@mail.example:465',
    BUTTONWOOD_MAIL_FROM: 'Exchange <no-reply@exchange.example>',
    BUTTONWOOD_PUBLIC_URL: 'https://Exchange.example/',
  };
  expect(readConfig(env, false)).toMatchObject({
    mail: { smtpUrl: env.BUTTONWOOD_SMTP_URL, from: env.BUTTONWOOD_MAIL_FROM },
    publicUrl: 'https://exchange.example',
  });
  expect(readConfig({}, false)).not.toContainAnyKeys(['mail', 'publicUrl']);
});

test.each([
  [{ BUTTONWOOD_SMTP_URL: 'smtp://mail.example' }, 'BUTTONWOOD_MAIL_FROM'],
  [{ BUTTONWOOD_MAIL_FROM: 'a@example.com' }, 'BUTTONWOOD_SMTP_URL'],
  [{ BUTTONWOOD_PUBLIC_URL: 'exchange.example' }, 'BUTTONWOOD_PUBLIC_URL'],
  [{ BUTTONWOOD_PUBLIC_URL: 'https://exchange.example/path' }, 'BUTTONWOOD_PUBLIC_URL'],
  [{ BUTTONWOOD_PUBLIC_URL: 'https://user@exchange.example' }, 'BUTTONWOOD_PUBLIC_URL'],
])('%o is refused', (env, named) => {
  expect(() => readConfig(env, false)).toThrow(named);
});

test('a wrong mail server is refused without its password', () => {
  const env = {
    BUTTONWOOD_SMTP_URL: 'http://user:secret@mail',
    BUTTONWOOD_MAIL_FROM: 'a@b.example',
  };
  expect(() => readConfig(env, false)).toThrow('BUTTONWOOD_SMTP_URL');
  expect(() => readConfig(env, false)).not.toThrow('secret');
});
