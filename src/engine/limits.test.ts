import { expect, test } from 'bun:test';
import { ALICE, BTC, Desk, NOBODY } from '../../test/desk.ts';
import { type Command, CommandKind } from './command.ts';
import { MAX_ACCOUNTS, MAX_ASSETS, MAX_MARKETS, MAX_TRANSFERS } from './limits.ts';
import { RejectionCode, rejected } from './rejection.ts';

test.each<[string, number, (desk: Desk, count: number) => void, Command]>([
  [
    'accounts',
    MAX_ACCOUNTS,
    ({ exchange }, count) => {
      exchange.state.accounts.length = count;
    },
    { kind: CommandKind.createAccount, ...NOBODY, accountId: 'new', limitClass: 1 },
  ],
  [
    'assets',
    MAX_ASSETS,
    ({ exchange }, count) => {
      exchange.state.assets.length = count;
    },
    { kind: CommandKind.createAsset, ...NOBODY, asset: 'NEW', name: 'New', decimals: 8 },
  ],
  [
    'transfers',
    MAX_TRANSFERS,
    ({ exchange }, count) => {
      Object.defineProperty(exchange.state.transfers, 'size', { value: count, configurable: true });
    },
    {
      ...{ kind: CommandKind.transfer, ...NOBODY, owner: ALICE, asset: BTC, amount: 1 },
      ...{ reference: 'new', reason: '' },
    },
  ],
  [
    'markets',
    MAX_MARKETS,
    ({ exchange }, count) => {
      exchange.state.marketsBySymbol.clear();
      exchange.state.markets.length = count;
    },
    {
      ...new Desk().exchange.state.markets[0]!.rules,
      ...{
        kind: CommandKind.listMarket,
        ...NOBODY,
        symbol: 'BTC/USDT',
        base: 'BTC',
        quote: 'USDT',
      },
    },
  ],
])('there is an end to %s', (what, most, fill, command) => {
  const desk = new Desk();
  fill(desk, most);
  expect(desk.apply(command)).toEqual(rejected(RejectionCode.limitReached, what));
  fill(desk, most - 1);
  expect(desk.apply(command).kind).not.toBe('rejected');
});
