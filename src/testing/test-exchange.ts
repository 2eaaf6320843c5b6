import { type Command, CommandKind, type PlaceOrder, SYSTEM_ACTOR } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { ENGINE_VERSION, type Exchange } from '../engine/exchange.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { NONE, OrderType, SelfTradePrevention, Side, TimeInForce } from '../engine/terms.ts';
import { encodeCommand } from '../log/codec.ts';
import type { Batch, Log } from '../log/log.ts';

// Commands and batches for tests.

/** Two funded accounts (1 and 2; 0 is the operator's) and one market, BTC/USDT. */
export const GENESIS_COMMANDS: readonly Command[] = [
  { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: true },
  { kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset: 'USDT', name: 'Tether', decimals: 10 },
  { kind: CommandKind.createAsset, ...SYSTEM_ACTOR, asset: 'BTC', name: 'Bitcoin', decimals: 8 },
  {
    kind: CommandKind.listMarket,
    ...SYSTEM_ACTOR,
    symbol: 'BTC/USDT',
    base: 'BTC',
    quote: 'USDT',
    priceDecimals: 2,
    amountDecimals: 8,
    tick: 1,
    step: 1,
    minPrice: 1,
    maxPrice: 1e11,
    minAmount: 1,
    maxAmount: 1e15,
    minNotional: 1,
    makerFee: 800,
    takerFee: 1000,
    collar: 0,
    referencePrice: 11_800_000,
  },
  ...['operator', 'alice', 'bob'].map(
    (accountId): Command => ({
      kind: CommandKind.createAccount,
      ...SYSTEM_ACTOR,
      accountId,
      limitClass: 1,
    }),
  ),
  ...[1, 2].flatMap((owner) =>
    [0, 1].map(
      (asset): Command => ({
        kind: CommandKind.transfer,
        ...SYSTEM_ACTOR,
        owner,
        asset,
        amount: 10n ** 17n,
        reference: `funds-${owner}-${asset}`,
        reason: 'test',
      }),
    ),
  ),
];

/** Returns a limit order of account 1 or 2; price in hundredths, amount in units of 10^-8. */
export function limitOrder(account: number, side: Side, price: number, amount: number): PlaceOrder {
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market: 0,
    side,
    type: OrderType.limit,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price,
    amount,
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
  };
}

/** Returns the n-th command of a sequence with resting orders, crossing orders and cancels. */
export function command(n: number): Command {
  if (n % 5 === 4) return { kind: CommandKind.cancelOrder, account: 1, key: NONE, orderId: n - 3 };
  const side = n % 2 === 0 ? Side.buy : Side.sell;
  return limitOrder(1 + (n % 2), side, 1000 + ((n * 7) % 13), 100 + (n % 17));
}

export function encode(commands: readonly Command[]): Uint8Array {
  const writer = new ByteWriter();
  for (const each of commands) encodeCommand(writer, each);
  return writer.bytes().slice();
}

export function appendBatch(log: Log, time: number, commands: readonly Command[]): Promise<Batch> {
  return log.append(time, commands.length, encode(commands));
}

/** Applies commands directly to an exchange. */
export function applyAll(
  exchange: Exchange,
  time: number,
  commands: readonly Command[],
): Outcome[] {
  return commands.map((each) => exchange.apply(each, time));
}
