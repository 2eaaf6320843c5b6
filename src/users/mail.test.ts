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

const user = (email: string, antiPhishingCode = '') => ({ email, antiPhishingCode });

/** Methods that send no mail to a user. */
const OTHERS = new Set([
  'constructor',
  'verify',
  'confirmEmail',
  'passwordLink',
  'notify',
  'sendSecurity',
  'count',
  'send',
]);

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
    expect(await mails.event(user('bot@example.com'), fill)).toBe('');
  }
  expect(test_.sent).toHaveLength(30);
  const isLast = test_.sent.map(({ text }) =>
    text.includes('until the next hour no more are sent'),
  );
  expect(isLast.indexOf(true)).toBe(29);
  mails.verify('bot@example.com', 'token');
  await mails.event(user('other@example.com'), fill);
  expect(test_.sent).toHaveLength(32);
  test_.now += HOUR_MS;
  await mails.event(user('bot@example.com'), fill);
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
  expect(await mails.event(user('user@example.com'), { subject: 'A fill', text: '' })).toBe(
    'the mail server did not take it: EMESSAGE, the server responded with 450',
  );
});

test('mails about withdrawals are limited apart from those about other events', async () => {
  const { test_, mails } = open();
  const place = { asset: 'XRP', network: 'xrpl', address: 'rTheirs', memo: '77' };
  const withdrawal = { ...place, id: '9', amount: '0.10', fee: '0.2' };
  const fill = { subject: 'A fill', text: 'Bought 1 BTC.' };
  for (let count = 0; count < 40; count++) await mails.event(user('bot@example.com'), fill);
  for (let count = 0; count < 40; count++)
    mails.withdrawalRequested(user('bot@example.com'), withdrawal);
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
  mails.withdrawalAddressAdded(user('bot@example.com'), {
    ...place,
    usableAt: '2026-01-05T12:00:00.000Z',
  });
  expect(test_.sent.at(-1)!.text).toContain(
    'rTheirs on xrpl, memo 77.\nWithdrawals to it are possible from 2026-01-05T12:00:00.000Z on.',
  );
});

test('a mail about a changed key names it, and the addresses that may use it', () => {
  const { test_, mails } = open();
  const to = user('carol@example.com', '');
  mails.keyChanged(to, { label: 'Grid bot', addresses: ['203.0.113.7', '::1'] });
  mails.keyChanged(to, { label: '', addresses: [] });
  expect(test_.sent.map(({ subject }) => subject)).toEqual(['API key changed', 'API key changed']);
  const [first, second] = test_.sent.map(({ text }) => text);
  expect(first).toStartWith(
    'The API key “Grid bot” was changed. It may be used from 203.0.113.7, ::1.\nYour keys: ',
  );
  expect(first).toContain('If this was not you, choose a new password: ');
  expect(second).toStartWith(
    'An API key without a label was changed. It may be used from any IP address.',
  );
});

test('every mail to a user shows their anti-phishing code first, and a sign-up shows none', async () => {
  const { test_, mails } = open();
  const to = user('carol@example.com', 'Clover42');
  const place = { asset: 'XRP', network: 'xrpl', address: 'rTheirs', memo: null };
  mails.alreadySignedUp(to, 'token');
  mails.resetPassword(to, 'token');
  mails.invite(to, 'token');
  mails.userInvited(to, 'dave@example.com');
  mails.userRemoved(to);
  mails.passwordChanged(to);
  mails.passwordReset(to);
  mails.keyCreated(to);
  mails.keyChanged(to, { label: 'bot', addresses: [] });
  mails.passkeyAdded(to);
  mails.secondFactorOn(to);
  mails.secondFactorOff(to);
  mails.recoveryCodesRenewed(to);
  mails.antiPhishingCodeSet(to);
  mails.antiPhishingCodeRemoved(to);
  mails.withdrawalAddressAdded(to, { ...place, usableAt: '2026-01-05T12:00:00.000Z' });
  mails.withdrawalRequested(to, { ...place, id: '9', amount: '0.10', fee: '0.2' });
  mails.emailInUse(to);
  mails.emailChanging(to, 'new@example.com');
  mails.emailChanged(to, 'new@example.com');
  mails.webhookFailed(to, 'https://bot.example', 'no response');
  await mails.event(to, { subject: 'A fill', text: 'Bought 1 BTC.' });
  const methods = Object.getOwnPropertyNames(Mails.prototype).filter((name) => !OTHERS.has(name));
  expect(test_.sent).toHaveLength(methods.length);
  for (const { text } of test_.sent) {
    expect(text).toStartWith('Your anti-phishing code: Clover42\n\n');
  }
  mails.verify('carol@example.com', 'token');
  mails.confirmEmail('new@example.com', 'token');
  await mails.event(user('dave@example.com'), { subject: 'A fill', text: 'Bought 1 BTC.' });
  for (const { text } of test_.sent.slice(-3)) expect(text).not.toContain('anti-phishing');
});
