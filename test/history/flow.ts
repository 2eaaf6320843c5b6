import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type ListedRules,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import type { Event, Outcome } from '../../src/engine/event.ts';
import { ENGINE_VERSION, Exchange } from '../../src/engine/exchange.ts';
import { NONE, OrderType, type Side, TimeInForce } from '../../src/engine/terms.ts';

/** The input of history for one command. */
export interface Applied {
  readonly sequence: number;
  readonly index: number;
  readonly time: number;
  readonly command: Command;
  readonly outcome: Outcome;
  readonly events: readonly Event[];
}

/** A random command. Ranges are small, so that orders match. */
interface Draw {
  readonly action: 'place' | 'cancel' | 'credit';
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly isMarketOrder: boolean;
  readonly timeInForce: number;
  readonly selfTradePrevention: number;
  readonly price: number;
  readonly amount: number;
  readonly clientOrderId: string | null;
  /** The order to cancel, counted back from the newest. */
  readonly back: number;
  readonly waitMs: number;
  readonly endsBatch: boolean;
}

const ACCOUNTS = 4;
const { gtc, ioc, fok, gtd } = TimeInForce;
const FORCES = [gtc, gtc, gtc, gtc, ioc, fok, gtd];
const LARGE = 2 ** 40;

const draw: fc.Arbitrary<Draw> = fc.record({
  action: fc.constantFrom('place', 'place', 'place', 'place', 'place', 'cancel', 'credit'),
  account: fc.nat(ACCOUNTS - 1),
  market: fc.constantFrom(0, 0, 0, 1, 2),
  side: fc.nat(1),
  isMarketOrder: fc.nat(5).map((n) => n === 0),
  timeInForce: fc.constantFrom(...FORCES),
  selfTradePrevention: fc.nat(3),
  price: fc.integer({ min: 98, max: 102 }),
  amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: LARGE, max: 9 * LARGE })),
  clientOrderId: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom('a', 'b-1')),
  back: fc.nat(8),
  waitMs: fc.constantFrom(0, 0, 0, 7, 900, 4_000, 61_000),
  endsBatch: fc.boolean(),
});

const START = 1_700_000_000_000;
/** An amount that makes balances and costs exceed 2^53. */
const FUNDS = 10n ** 29n;
export const SECRET_HASH = new Uint8Array(32).fill(0xa5);
/** Commands that set up the exchange: markets with fees on both sides, on one and on none. */
function genesis(): Command[] {
  const assets = ['USDT', 'BTC', 'ETH'].map(
    (asset): Command => ({
      kind: CommandKind.createAsset,
      ...SYSTEM_ACTOR,
      asset,
      name: asset,
      decimals: 12,
    }),
  );
  const markets = [
    ['BTC', 'USDT', 800, 1000],
    ['ETH', 'USDT', 0, 1000],
    ['ETH', 'BTC', 0, 0],
  ] as const;
  const accounts = Array.from({ length: ACCOUNTS }, (_, owner) => owner);
  return [
    { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false },
    ...assets,
    ...markets.map(
      ([base, quote, makerFee, takerFee]): Command => ({
        kind: CommandKind.listMarket,
        ...SYSTEM_ACTOR,
        symbol: `${base}/${quote}`,
        base,
        quote,
        ...rules(makerFee, takerFee),
      }),
    ),
    ...accounts.map(
      (owner): Command => ({
        kind: CommandKind.createAccount,
        ...SYSTEM_ACTOR,
        accountId: `account-${owner}`,
        limitClass: 1,
      }),
    ),
    {
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner: 0,
      apiKey: 'key-0',
      secretHash: SECRET_HASH,
      permissions: 3,
      label: 'bot',
      addresses: ['127.0.0.1'],
      expiresAt: 0,
    },
    ...accounts.flatMap((owner) => [0, 1, 2].map((asset) => credit(owner, asset))),
    // A repeated one has no effect, and the next is rejected.
    credit(0, 0),
    { kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'unknown' },
    { kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, owner: 0, frozen: false },
  ];
}

function credit(owner: number, asset: number, prefix = 'credit'): Command {
  return {
    kind: CommandKind.transfer,
    ...SYSTEM_ACTOR,
    owner,
    asset,
    amount: FUNDS,
    reference: `${prefix}-${owner}-${asset}`,
    reason: 'test funds',
  };
}

function rules(makerFee: number, takerFee: number): ListedRules {
  return {
    priceDecimals: 2,
    amountDecimals: 8,
    tick: 1,
    step: 1,
    minPrice: 1,
    maxPrice: 1_000_000,
    minAmount: 1,
    maxAmount: 2 ** 50,
    minNotional: 0,
    makerFee,
    takerFee,
    collar: 0,
    referencePrice: 100,
  };
}

export interface Flow {
  readonly applied: readonly Applied[];
  readonly exchange: Exchange;
}

/** A random run of the real engine from its first command. */
export function flows(): fc.Arbitrary<Flow> {
  return fc.array(draw, { minLength: 1, maxLength: 120, size: 'max' }).map(run);
}

function run(draws: readonly Draw[]): Flow {
  const exchange = new Exchange();
  const applied: Applied[] = [];
  let sequence = 1;
  let index = 0;
  let time = START;
  const apply = (command: Command) => {
    const outcome = exchange.apply(command, time);
    const events = [...exchange.events];
    applied.push({ sequence, index: index++, time: exchange.state.time, command, outcome, events });
  };
  const endBatch = () => {
    sequence++;
    index = 0;
  };
  genesis().forEach(apply);
  endBatch();
  for (const drawn of draws) {
    time += drawn.waitMs;
    apply(toCommand(drawn, exchange.state.nextOrderId, time));
    if (drawn.endsBatch) endBatch();
  }
  return { applied, exchange };
}

function toCommand(drawn: Draw, nextOrderId: number, time: number): Command {
  const { account, isMarketOrder } = drawn;
  if (drawn.action === 'credit') return credit(account, drawn.market, `later-${drawn.back}`);
  if (drawn.action === 'cancel') {
    const orderId = nextOrderId - 1 - drawn.back;
    return { kind: CommandKind.cancelOrder, account, key: NONE, orderId };
  }
  const timeInForce = isMarketOrder ? TimeInForce.ioc : drawn.timeInForce;
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market: drawn.market,
    side: drawn.side as Side,
    type: isMarketOrder ? OrderType.market : OrderType.limit,
    timeInForce,
    postOnly: false,
    selfTradePrevention: drawn.selfTradePrevention,
    price: isMarketOrder ? 0 : drawn.price,
    amount: drawn.amount,
    cost: 0,
    expiresAt: timeInForce === TimeInForce.gtd ? time + 5_000 : 0,
    clientOrderId: drawn.clientOrderId,
  };
}
