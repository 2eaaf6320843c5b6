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

test('an address gets at most thirty mails about events an hour, and the last one says so', async () => {
  const { test_, mails } = open();
  const fill = { subject: 'A fill', text: 'Bought 1 BTC.' };
  for (let count = 0; count < 40; count++) {
    expect(await mails.event('bot@example.com', fill)).toBe('');
  }
  expect(test_.sent).toHaveLength(30);
  const isLast = test_.sent.map(({ text }) =>
    text.includes('until the next hour no more are sent'),
  );
  expect(isLast.indexOf(true)).toBe(29);
  mails.verify('bot@example.com', 'token');
  await mails.event('other@example.com', fill);
  expect(test_.sent).toHaveLength(32);
  test_.now += HOUR_MS;
  await mails.event('bot@example.com', fill);
  expect(test_.sent).toHaveLength(33);
});

test('a mail about an event that is not sent returns why', async () => {
  const refuse = async () => {
    throw Object.assign(new Error('450 try later'), { code: 'EMESSAGE', responseCode: 450 });
  };
  const mails = new Mails(
    refuse,
    () => 'https://exchange.test',
    () => 0,
  );
  expect(await mails.event('user@example.com', { subject: 'A fill', text: '' })).toBe(
    'the mail server did not take it: EMESSAGE, the server responded with 450',
  );
});

test('mails about withdrawals are limited apart from those about other events', async () => {
  const { test_, mails } = open();
  const place = { asset: 'XRP', network: 'xrpl', address: 'rTheirs', memo: '77' };
  const withdrawal = { ...place, id: '9', amount: '0.10', fee: '0.2' };
  const fill = { subject: 'A fill', text: 'Bought 1 BTC.' };
  for (let count = 0; count < 40; count++) await mails.event('bot@example.com', fill);
  for (let count = 0; count < 40; count++) mails.withdrawalRequested('bot@example.com', withdrawal);
  const sent = test_.sent.splice(30);
  expect(sent).toHaveLength(30);
  const [first] = sent;
  expect(first!.subject).toBe('Withdrawal of 0.10 XRP requested');
  expect(first!.text).toStartWith(
    'Withdrawal 9 of 0.10 XRP was requested, with a fee of 0.2 XRP: to rTheirs on xrpl, memo 77.\n',
  );
  expect(first!.text).toContain('https://exchange.test/withdraw');
  const isLast = sent.map(({ text }) => text.includes('no more of these mails'));
  expect(isLast.indexOf(true)).toBe(29);
  test_.now += HOUR_MS;
  mails.withdrawalAddressAdded('bot@example.com', {
    ...place,
    usableAt: '2026-01-05T12:00:00.000Z',
  });
  expect(test_.sent.at(-1)!.text).toContain(
    'rTheirs on xrpl, memo 77.\nWithdrawals to it are possible from 2026-01-05T12:00:00.000Z on.',
  );
});
