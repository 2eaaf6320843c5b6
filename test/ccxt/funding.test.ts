import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ArgumentsRequired, InvalidAddress } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Venue } from './venue.ts';

/** Deposits and withdrawals with the class of CCXT. */

const RULES = {
  ...{ asset: 'USDT', decimals: 6, minDeposit: 1, minWithdrawal: 2, withdrawalFee: 0.25 },
  ...{ confirmations: 2, deposits: true, withdrawals: true, dailyLimit: 0, hourlyCount: 0 },
  ...{ addressCoolingMs: 0, newDeviceDelayMs: 0, approvalAbove: 1000 },
};
let venue: Venue;
let alice: buttonwood;

beforeAll(async () => {
  venue = await Venue.open();
  for (const network of ['ethereum', 'ton']) {
    const rules = { ...RULES, network, memo: network === 'ton' ? 'required' : 'none' };
    await venue.exchange.send('operator', 'POST', '/api/admin/networks', JSON.stringify(rules));
  }
  // A key that withdraws is bound to addresses.
  const permissions = ['read', 'trade', 'withdraw'] as const;
  await venue.exchange.addKey('funding', 'alice', permissions, { addresses: ['127.0.0.1'] });
  alice = venue.bot('funding');
});
afterAll(() => venue.close());

function execute(command: object) {
  // biome-ignore lint/suspicious/noExplicitAny: commands of the custodian
  return venue.exchange.replica.execute({ ...SYSTEM_ACTOR, keyNumber: 0, ...command } as any);
}

test('currencies have their networks and fees', async () => {
  const { USDT, BTC } = await alice.fetchCurrencies();
  expect([USDT!.deposit, USDT!.withdraw, BTC!.deposit, BTC!.withdraw]).toEqual([
    ...[true, true],
    ...[false, false],
  ]);
  expect(Object.keys(USDT!.networks).sort()).toEqual(['ethereum', 'ton']);
  expect(USDT!.networks.ton).toMatchObject({
    ...{ id: 'ton', fee: 0.25, precision: 0.000001, active: true },
    limits: { deposit: { min: 1 }, withdraw: { min: 2 } },
  });
  const fees = await alice.fetchDepositWithdrawFees(['USDT']);
  expect(fees.USDT.networks.ethereum).toEqual({
    deposit: { fee: 0, percentage: false },
    withdraw: { fee: 0.25, percentage: false },
  });
});

test('an address is created once the custodian has given it', async () => {
  await expect(alice.createDepositAddress('USDT')).rejects.toBeInstanceOf(ArgumentsRequired);
  const place = { network: 'ton' };
  await expect(alice.fetchDepositAddress('USDT', place)).rejects.toBeInstanceOf(InvalidAddress);
  await expect(alice.createDepositAddress('USDT', place)).rejects.toBeInstanceOf(InvalidAddress);
  const owner = venue.exchange.replica.exchange.state.accountsById.get('alice')!.index;
  const given = { owner, network: 1, address: 'ton1exchange', memo: '77' };
  await execute({ kind: CommandKind.assignAddress, ...given });
  const created = await alice.createDepositAddress('USDT', place);
  expect(created).toMatchObject({
    ...{ currency: 'USDT', network: 'ton', address: 'ton1exchange', tag: '77' },
  });
  expect(await alice.fetchDepositAddress('USDT', place)).toEqual(created);
});

test('deposits have the statuses of CCXT', async () => {
  const payment = {
    ...{ kind: CommandKind.reportDeposit, network: 1, transaction: 'tx1', index: 0 },
    ...{ address: 'ton1exchange', memo: '77', amount: 12_500_000_000_0, reorganized: false },
  };
  await execute({ ...payment, confirmations: 1, report: 1 });
  const [pending] = await alice.fetchDeposits('USDT');
  expect(pending).toMatchObject({
    ...{ txid: 'tx1', type: 'deposit', status: 'pending', amount: 12.5, currency: 'USDT' },
    ...{ network: 'ton', address: 'ton1exchange', tag: '77', fee: undefined },
  });
  expect(pending!.datetime).toBe(alice.iso8601(pending!.timestamp!)!);
  await execute({ ...payment, confirmations: 2, report: 2 });
  expect((await alice.fetchDeposits()).map(({ status }) => status)).toEqual(['ok']);
  expect(await alice.fetchDeposits('BTC')).toEqual([]);
});

test('a withdrawal goes to an address of the address book, once per client id', async () => {
  const terms = ['USDT', 10.5, '0xtheirs', undefined, { network: 'ethereum', clientId: 'w1' }];
  const withdraw = () => alice.withdraw(...(terms as Parameters<buttonwood['withdraw']>));
  await expect(withdraw()).rejects.toBeInstanceOf(InvalidAddress);
  const account = venue.exchange.replica.exchange.state.accountsById.get('alice')!.index;
  const entry = { network: 0, address: '0xtheirs', memo: '' };
  await execute({ kind: CommandKind.addWithdrawalAddress, account, ...entry });
  const made = await withdraw();
  expect(made).toMatchObject({
    ...{ type: 'withdrawal', status: 'pending', amount: 10.5, currency: 'USDT' },
    ...{ fee: { cost: 0.25, currency: 'USDT' }, addressTo: '0xtheirs', network: 'ethereum' },
  });
  expect((await withdraw()).id).toBe(made.id);
  expect((await alice.fetchWithdrawals('USDT')).map(({ id }) => id)).toEqual([made.id]);
  const reported = { withdrawal: Number(made.id), transaction: 'out', reason: '', report: 1 };
  await execute({ kind: CommandKind.reportWithdrawal, reached: 5, ...reported });
  const [confirmed] = await alice.fetchWithdrawals();
  expect([confirmed!.status, confirmed!.txid]).toEqual(['ok', 'out']);
});
