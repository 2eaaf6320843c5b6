import { describe, expect, test } from 'bun:test';
import { CommandKind } from './command.ts';
import { ENGINE_VERSION } from './exchange.ts';
import * as limits from './limits.ts';
import { RejectionCode } from './rejection.ts';
import * as terms from './terms.ts';

// Existing logs, snapshots and history contain these numbers: the lists may grow but never change.

describe('the number of a name is its index in the list', () => {
  test.each([
    [terms.sides, terms.Side],
    [terms.orderTypes, terms.OrderType],
    [terms.timesInForce, terms.TimeInForce],
    [terms.selfTradePreventions, terms.SelfTradePrevention],
    [terms.orderStatuses, terms.OrderStatus],
    [terms.orderReasons, terms.OrderReason],
    [terms.marketStatuses, terms.MarketStatus],
    [terms.entryTypes, terms.EntryType],
  ])('%j', (names, numbers) => {
    const plain = (name: string | null) => (name ?? 'none').replaceAll('_', '').toLowerCase();
    const named = Object.entries<number>(numbers).map(([name, number]) => [plain(name), number]);
    expect(named).toEqual(names.map((name, index) => [plain(name), index]));
  });

  test('the number of a permission is the bit at its index', () => {
    const bits = terms.permissionNames.map((name) => terms.Permission[name]);
    expect(bits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  });
});

test('commands and rejections keep their numbers', () => {
  const upTo = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  expect(Object.values(RejectionCode)).toEqual([
    ...upTo(1, 22),
    ...upTo(24, 33),
    40,
    41,
    46,
    47,
    50,
    ...upTo(60, 64),
    ...upTo(70, 84),
    ...upTo(90, 95),
    ...upTo(110, 117),
    ...upTo(120, 121),
  ] as RejectionCode[]);
  expect<number[]>(Object.values(CommandKind).sort((a, b) => a - b)).toEqual([
    ...upTo(1, 5),
    ...upTo(7, 16),
    ...upTo(21, 31),
    ...upTo(36, 39),
    ...upTo(41, 43),
    ...upTo(50, 55),
    ...upTo(60, 66),
    ...upTo(70, 83),
    ...upTo(90, 92),
    ...upTo(110, 113),
    ...upTo(115, 117),
    ...upTo(120, 122),
    125,
  ]);
});

test('changing a limit requires a new engine version', () => {
  expect(ENGINE_VERSION).toBe(2);
  expect({ ...limits }).toEqual({
    MAX_UNITS: 2 ** 53 - 1,
    MAX_ACCOUNTS: 1_000_000,
    MAX_ASSETS: 1_000,
    MAX_MARKETS: 1_000,
    MAX_ASSET_DECIMALS: 22,
    MAX_KEYS_PER_ACCOUNT: 100,
    MAX_ENDED_KEYS_PER_ACCOUNT: 100,
    MAX_SIGNATURE_LIFETIME_MS: 120_000,
    SEALED_SECRET_BYTES: { min: 29, max: 256 },
    MAX_FEE_TIERS: 50,
    MAX_MAINTENANCE: 100,
    MAX_ANNOUNCEMENTS: 20,
    MAX_TITLE_LENGTH: 100,
    MAX_ANNOUNCEMENT_LENGTH: 500,
    MAX_BUSTED_TRADES: 100_000,
    MAX_NOTICE_LENGTH: 200,
    MAX_TRADING_LIMIT: 1_000_000,
    ORDER_RATE_WINDOW_MS: 10_000,
    ORDERS_PER_TRADE_WINDOW_MS: 3_600_000,
    MAX_OPEN_ORDERS_PER_ACCOUNT: 2_000,
    MAX_DEADLINES_PER_ACCOUNT: 1_000,
    MAX_TRIGGERED_AT_ONCE: 100,
    PORTION: { ends: 200, turn: 50, triggers: 100, trades: 10, scanned: 100 },
    MAX_CONNECTIONS_PER_ACCOUNT: 100,
    CONNECTION_LEASE_MS: 10_000,
    MAX_PENDING_APPROVALS: 500,
    MAX_PENDING_APPROVALS_PER_ACCOUNT: 100,
    APPROVAL_LIFETIME_MS: 259_200_000,
    MAX_CLOSED_APPROVALS: 200,
    MAX_REASON_LENGTH: 200,
    MAX_NOTES_PER_ACCOUNT: 200,
    MAX_NOTE_LENGTH: 500,
    MAX_ALERT_ID_LENGTH: 100,
    MAX_SWEEPS_PER_ACCOUNT: 100,
    MAX_CLIENT_ORDER_IDS: 8_000_000,
    CLIENT_ORDER_ID_LIFETIME_MS: 90_000_000,
    MAX_TRANSFERS: 8_000_000,
    MAX_ORDERS_BEYOND_BUDGET: 256,
    MAX_REMEMBERED: {
      clientOrderIds: 10_000,
      transfers: 100_000,
      deposits: 100_000,
      unpaidWithdrawals: 1_000,
      signatures: 65_536,
    },
    MAX_NETWORKS: 1_000,
    MAX_DEPOSIT_ADDRESSES: 2_000_000,
    MAX_ADDRESS_REQUESTS: 10_000,
    MAX_OPEN_DEPOSITS: 100_000,
    MAX_UNCLAIMED_DEPOSITS: 50_000,
    MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT: 100,
    MAX_WITHDRAWALS: 200_000,
    MAX_WITHDRAWALS_PER_ACCOUNT: 1_000,
    WITHDRAWAL_MEMORY_MS: 90_000_000,
    WITHDRAWAL_WINDOW_MS: 86_400_000,
    MAX_DROPPED_AT_ONCE: 4,
    SWEEP_EVERY_ORDERS: 8,
    MAX_SWEPT_AT_ONCE: 32,
    MAX_ASSET_TOTAL: 10n ** 30n,
    WIDTH_WITHOUT_COLLAR: 100_000,
    MAX_AUCTION_MS: 86_400_000,
    MAX_TRAILING_BASIS_POINTS: 5_000,
    MAX_ICEBERG_PARTS: 100,
    VOLUME_DAYS: 30,
    MAX_SUB_ACCOUNTS: 20,
    MAX_CLOSED_SUB_ACCOUNTS: 100,
    MAX_SUB_ACCOUNT_NAME_LENGTH: 50,
    INTERNAL_TRANSFER_MEMORY_MS: 90_000_000,
    MAX_INTERNAL_TRANSFERS: { total: 200_000, perGroup: 1_000 },
  });
});
