import { expect, test } from 'bun:test';
import { HOUR_MS } from '../config/durations.ts';
import { type Mail, Mails } from './mail.ts';

function open() {
  const test_ = { now: 1_000 * HOUR_MS, sent: [] as Mail[] };
  const deliver = async (mail: Mail) => void test_.sent.push(mail);
  const mails = new Mails(
    deliver,
    () => 'https://exchange.test',
    () => test_.now,
  );
  return { test_, mails };
}

test('an address gets at most ten confirmation mails an hour, however many other addresses there are', () => {
  const { test_, mails } = open();
  for (let count = 0; count < 15; count++) mails.verify('victim@example.com', 'token');
  expect(test_.sent).toHaveLength(10);
  for (let index = 0; index < 60_000; index++) mails.verify(`a${index}@example.com`, 'token');
  expect(test_.sent).toHaveLength(60_010);
  mails.verify('victim@example.com', 'token');
  expect(test_.sent).toHaveLength(60_010);
  test_.now += HOUR_MS;
  mails.verify('victim@example.com', 'token');
  expect(test_.sent.at(-1)!.to).toBe('victim@example.com');
  expect(test_.sent).toHaveLength(60_011);
});
