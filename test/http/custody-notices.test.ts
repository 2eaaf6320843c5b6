import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { CustodyNotices } from '../../src/gateway/notifications/custody-notices.ts';
import { Browser, PASSWORD } from './browser.ts';
import { TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Notices and mails about new withdrawal addresses and requested withdrawals, which no setting turns off. */

const PLACE = { asset: 'BTC', network: 'bitcoin', address: 'bc1qtheirs' };

let exchange: TestExchange;
let carol: Browser;
let accountId: string;

beforeAll(async () => {
  exchange = await TestExchange.open();
  await TestCustodian.open(exchange);
  carol = await Browser.signedUp(exchange);
  accountId = (await carol.get()).data.profile.accountId;
  const credit = { account: accountId, asset: 'BTC', amount: 3, reference: 'c', reason: 'test' };
  await exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(credit));
  await carol.send('PATCH', '/api/account/notifications', { mail: [], page: [] });
});
afterAll(() => exchange.close());

async function notices() {
  await exchange.notifications.custody.settle();
  return (await carol.send('GET', '/api/notices')).data.notices;
}

/** Returns the subjects of the mails to carol about addresses and withdrawals. */
function subjects(): string[] {
  return exchange.mails
    .filter(({ to, subject }) => to === 'carol@example.com' && /ithdrawal/.test(subject))
    .map(({ subject }) => subject);
}

test('a new address and a withdrawal make one notice and one mail each, repetitions none', async () => {
  const add = () =>
    carol.send('POST', '/api/withdrawal-addresses', { ...PLACE, password: PASSWORD });
  const denied = { ...PLACE, address: 'no spaces', password: PASSWORD };
  expect((await carol.send('POST', '/api/withdrawal-addresses', denied)).status).toBe(400);
  const { address } = (await add()).data;
  expect((await add()).data.created).toBe(false);
  expect(await notices()).toMatchObject([{ event: 'address.added', data: address, read: false }]);
  expect(subjects()).toEqual(['New withdrawal address for BTC']);

  const terms = { addressId: address.id, amount: 0.2, clientId: 'one', password: PASSWORD };
  const { withdrawal } = (await carol.send('POST', '/api/withdrawals', terms)).data;
  expect((await carol.send('POST', '/api/withdrawals', terms)).data.created).toBe(false);
  const tooMuch = { ...terms, amount: 4, clientId: 'two' };
  expect((await carol.send('POST', '/api/withdrawals', tooMuch)).status).toBe(400);
  expect((await notices())[0]).toMatchObject({ event: 'withdrawal.requested', data: withdrawal });
  expect(await notices()).toHaveLength(2);
  expect(subjects()).toEqual(['New withdrawal address for BTC', 'Withdrawal of 0.2 BTC requested']);
  expect(exchange.mails.at(-1)!.text).toContain('to bc1qtheirs on bitcoin');
});

test('what a stopped node did not notify of is added after the next start, and nothing twice', async () => {
  const before = await notices();
  const { index } = exchange.state.accountsById.get(accountId)!;
  // The engine has it, but no request was answered: the node was killed in between.
  const network = 0;
  const lost = { network, address: 'bc1qlost', memo: '' };
  await exchange.replica.execute({
    ...{ kind: CommandKind.addWithdrawalAddress, ...SYSTEM_ACTOR },
    ...{ ...lost, account: index },
  });
  const restarted = new CustodyNotices(exchange.services);
  for (let start = 0; start < 2; start++) {
    restarted.reload(exchange.now - 1000);
    await restarted.settle();
  }
  const [newest, ...others] = await notices();
  expect(newest).toMatchObject({ event: 'address.added', data: { address: 'bc1qlost' } });
  expect(others).toEqual(before);
  expect(subjects()).toHaveLength(3);
  // Nodes that watched all the time add nothing.
  exchange.now += 120_000;
  restarted.reload(exchange.now);
  await restarted.settle();
  expect(await notices()).toHaveLength(before.length + 1);
});
