import type { BustTrade, TradeTerms } from '../command.ts';
import { mix } from '../digest.ts';
import type { Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import { MAX_BUSTED_TRADES, MAX_REASON_LENGTH } from '../limits.ts';
import type { Market } from '../markets/markets.ts';
import { type ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { invariant, type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { PartState } from '../state-part.ts';
import { EntryType, Side } from '../terms.ts';
import { readTrade, writeTrade } from './layouts.ts';

/** A trade that operators have busted. */
export interface BustedTrade extends TradeTerms {
  /** When it was busted, milliseconds since 1970. */
  readonly bustedAt: number;
}

/** One side of a trade: the assets and amounts that it gave and received, in minor units. */
interface Settled {
  readonly account: Account;
  readonly given: { readonly asset: number; readonly amount: Exact };
  readonly received: { readonly asset: number; readonly amount: Exact };
  /** The asset received; that given for a rebate. */
  readonly feeAsset: number;
  /** Negative for the rebate of a maker. */
  readonly fee: Exact;
}

type Sides = readonly [maker: Settled, taker: Settled];

/**
 * The state part of busted trades (engine version 2). The engine does not keep trades, so the command has the terms of the
 * trade, which the node reads from history; the part remembers which trades are busted, so that none is busted twice.
 */
export class TradeBusts {
  readonly id = 115;
  readonly nextTime = Number.POSITIVE_INFINITY;
  /** By trade id, in the order in which they were busted. */
  private readonly trades = new Map<number, BustedTrade>();

  constructor(private readonly state: PartState) {}

  get isEmpty(): boolean {
    return this.trades.size === 0;
  }

  /** All busted trades, in the order in which they were busted. */
  get all(): Iterable<BustedTrade> {
    return this.trades.values();
  }

  find(tradeId: number): BustedTrade | undefined {
    return this.trades.get(tradeId);
  }

  /**
   * Reverses a trade: both sides get back what they gave, the fees are returned, and both return what they received. It is
   * rejected if a side, or the fees of the exchange, no longer have what they must return: no balance becomes negative, and
   * nothing is moved in part.
   */
  bustTrade({ trade, reason }: BustTrade): Outcome {
    const { state } = this;
    const rejection = this.check(trade, reason);
    if (rejection !== undefined) return rejection;
    const sides = settle(trade, state.markets[trade.market]!, state.accounts);
    const shortfall = this.findShortfall(trade, sides);
    if (shortfall !== undefined) return shortfall;
    this.reverse(trade.id, sides);
    this.insert({ ...trade, bustedAt: state.time });
    return { kind: 'done' };
  }

  /** Returns what a side, or the fees of the exchange, lack of what they must return. */
  private findShortfall(trade: TradeTerms, sides: Sides): Rejection | undefined {
    const { fees } = this.state.ledger;
    const [maker, taker] = sides;
    for (const { account, received, feeAsset, fee } of sides) {
      const required = difference(received.amount, feeAsset === received.asset ? fee : 0);
      // In an auction both sides may be of one account, which gets its own assets back first.
      const credit = trade.makerAccount === trade.takerAccount ? received.amount : 0;
      const available = sum(account.available(received.asset), credit);
      if (available >= required) continue;
      const rule = account.index === trade.makerAccount ? 'maker' : 'taker';
      const shortfall = { required, available, asset: received.asset };
      return { ...rejected(RejectionCode.insufficientBalance, rule), ...shortfall };
    }
    // Referrers keep their shares, so that the fees may no longer suffice. A rebate is returned in the asset of the taker's fee.
    const rebate = maker.fee < 0 ? maker.fee : 0;
    for (const { feeAsset, fee } of sides) {
      const available = difference(fees[feeAsset]!, feeAsset === taker.feeAsset ? rebate : 0);
      if (available >= fee) continue;
      const shortfall = { required: fee, available, asset: feeAsset };
      return { ...rejected(RejectionCode.insufficientBalance, 'fees'), ...shortfall };
    }
    return undefined;
  }

  runDue(): void {}

  countDigest(): number {
    let total = 0;
    for (const trade of this.all) total = (total + hashBust(trade)) | 0;
    return total;
  }

  audit(): void {
    const { markets, nextTradeId } = this.state;
    let busted = 0;
    for (const { index, busts } of markets) {
      for (const [id, time] of busts) {
        const trade = this.trades.get(id);
        const isSame = trade?.market === index && trade.bustedAt === time && id < nextTradeId;
        invariant(isSame, `the busted trade ${id} is not one of market ${index}`);
        busted++;
      }
    }
    invariant(busted === this.trades.size, 'a busted trade belongs to no market');
  }

  write(writer: ByteWriter): void {
    writer.uint32(this.trades.size);
    for (const trade of this.all) writeBust(writer, trade);
  }

  read(reader: ByteReader): void {
    for (let left = reader.uint32(); left > 0; left--) {
      const trade = readTrade(reader);
      this.insert({ ...trade, bustedAt: reader.number() });
    }
  }

  private check(trade: TradeTerms, reason: string): Rejection | undefined {
    const { version, markets, accounts, nextTradeId } = this.state;
    if (version < 2) return invalid('the exchange must be upgraded to engine version 2');
    if (reason.trim() === '' || reason.length > MAX_REASON_LENGTH) {
      return invalid(`the reason must have 1 to ${MAX_REASON_LENGTH} characters`);
    }
    if (markets[trade.market] === undefined) return rejected(RejectionCode.unknownMarket);
    if (accounts[trade.makerAccount] === undefined || accounts[trade.takerAccount] === undefined) {
      return rejected(RejectionCode.unknownAccount);
    }
    if (!(trade.id > 0 && trade.id < nextTradeId)) return rejected(RejectionCode.unknownTrade);
    if (this.trades.has(trade.id)) return rejected(RejectionCode.alreadyBusted);
    const [maker, taker] = settle(trade, markets[trade.market]!, accounts);
    const isSound =
      trade.price > 0 &&
      trade.amount > 0 &&
      maker.fee <= maker.received.amount &&
      (maker.fee >= 0 || difference(0, maker.fee) <= taker.fee) &&
      taker.fee >= 0 &&
      taker.fee <= taker.received.amount;
    if (!isSound) return rejected(RejectionCode.unknownTrade);
    if (this.trades.size >= MAX_BUSTED_TRADES) {
      return rejected(RejectionCode.limitReached, 'busted trades');
    }
    return undefined;
  }

  /** Credits both sides, then debits them, so that no balance is negative in between. */
  private reverse(tradeId: number, sides: Sides): void {
    const { ledger } = this.state;
    const { tradeBust, tradeBustFee } = EntryType;
    for (const { account, given, feeAsset, fee } of sides) {
      ledger.reverse(account, given.asset, given.amount, tradeId, tradeBust);
      if (fee === 0) continue;
      ledger.chargeFee(account, feeAsset, difference(0, fee), tradeId, tradeBustFee);
    }
    for (const { account, received } of sides) {
      ledger.reverse(account, received.asset, difference(0, received.amount), tradeId, tradeBust);
    }
  }

  private insert(trade: BustedTrade): void {
    this.trades.set(trade.id, trade);
    this.state.markets[trade.market]!.busts.set(trade.id, trade.bustedAt);
    this.state.include(hashBust(trade));
  }
}

/** Returns what the maker and the taker of a trade gave and received. */
function settle(trade: TradeTerms, market: Market, accounts: readonly Account[]): Sides {
  const base = { asset: market.base.index, amount: market.baseAmount(trade.amount) };
  const quote = { asset: market.quote.index, amount: market.notional(trade.price, trade.amount) };
  const [bought, paid] = trade.takerSide === Side.buy ? [base, quote] : [quote, base];
  const maker = accounts[trade.makerAccount]!;
  const taker = accounts[trade.takerAccount]!;
  return [
    {
      ...{ account: maker, given: bought, received: paid, fee: trade.makerFeePaid },
      feeAsset: (trade.makerFeePaid < 0 ? bought : paid).asset,
    },
    {
      ...{ account: taker, given: paid, received: bought, fee: trade.takerFeePaid },
      feeAsset: bought.asset,
    },
  ];
}

function invalid(rule: string): Rejection {
  return rejected(RejectionCode.invalidRules, rule);
}

function hashBust(trade: BustedTrade): number {
  const writer = new ByteWriter(128);
  writeBust(writer, trade);
  let hash = mix(115, trade.market);
  for (const byte of writer.bytes()) hash = mix(hash, byte);
  return hash;
}

function writeBust(writer: ByteWriter, trade: BustedTrade): void {
  writeTrade(writer, trade);
  writer.number(trade.bustedAt);
}
