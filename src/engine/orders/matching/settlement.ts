import type { TradeEvent } from '../../event.ts';
import type { Account } from '../../ledger/accounts.ts';
import { feeOn, takeShare } from '../../ledger/ledger.ts';
import type { Market } from '../../markets/markets.ts';
import { difference, type Exact, sum } from '../../numbers/exact.ts';
import type { State } from '../../state.ts';
import { OrderStatus, Side } from '../../terms.ts';

/**
 * Moves the money of a match, before the book changes: the maker gives what it holds, the taker what is available. The
 * ids of the entries that the event represents follow each other, the maker's first.
 * A rebate is a share of what the taker receives, the asset of the fee that pays it.
 * @param makerRate The fee rate in parts per million; negative for a rebate.
 */
export function settleTrade(
  state: State,
  market: Market,
  maker: number,
  takerId: number,
  taker: Account,
  takerSide: Side,
  price: number,
  quantity: number,
  makerRate: number,
  takerRate: number,
): TradeEvent {
  const { ledger } = state;
  const makerAccount = state.accounts[state.orders.account(maker)]!;
  const base = market.base.index;
  const quote = market.quote.index;
  const cost = market.notional(price, quantity);
  const amount = market.baseAmount(quantity);
  const takerBuys = takerSide === Side.buy;
  const rebate = makerRate < 0 ? takeShare(takerBuys ? amount : cost, -makerRate) : 0;
  const makerFee = makerRate < 0 ? 0 : feeOn(takerBuys ? cost : amount, makerRate);
  const takerFee = feeOn(takerBuys ? amount : cost, takerRate);
  const makerEntryId = ledger.nextEntryId;
  const takerEntryId = makerEntryId + (makerFee === 0 && rebate === 0 ? 3 : 4);
  ledger.nextEntryId = takerEntryId + (takerFee === 0 ? 2 : 3);
  return {
    kind: 'trade',
    id: state.nextTradeId++,
    market: market.index,
    price,
    amount: quantity,
    cost,
    takerSide,
    makerOrderId: state.details.id(maker),
    makerAccount: makerAccount.index,
    makerFee: rebate === 0 ? makerFee : difference(0, rebate),
    makerEntryId,
    makerGivenAfter: takerBuys
      ? ledger.debitHeld(makerAccount, base, amount, rebate)
      : ledger.debitHeld(makerAccount, quote, cost, rebate),
    makerReceivedAfter: takerBuys
      ? ledger.credit(makerAccount, quote, cost, makerFee)
      : ledger.credit(makerAccount, base, amount, makerFee),
    takerOrderId: takerId,
    takerAccount: taker.index,
    takerFee,
    takerEntryId,
    takerGivenAfter: takerBuys
      ? ledger.debit(taker, quote, cost)
      : ledger.debit(taker, base, amount),
    takerReceivedAfter: takerBuys
      ? ledger.credit(taker, base, amount, takerFee)
      : ledger.credit(taker, quote, cost, takerFee),
    time: state.time,
  };
}

/** Notes the last price and the volumes of a trade, and pays referrers; may trigger orders. */
export function noteTrade(state: State, market: Market, trade: TradeEvent): void {
  if (state.parts.feePrograms.paysReferrers) state.parts.feePrograms.payReferrers(market, trade);
  if (state.parts.tradingLimits.isActive) state.parts.tradingLimits.noteTrade(trade);
  state.parts.auctions.noteTrade(market);
  state.setLastPrice(market, trade.price);
  state.noteBookChange(market);
  state.feeTiers.note(market, trade.makerAccount, trade.takerAccount, trade.cost, trade.time);
}

/**
 * Adds a fill to a resting order and reports it. Rebates are not among the fees of the order, which are in another asset.
 * @param remaining What then remains of it. @param shown How much of that the book shows.
 */
export function noteFill(
  state: State,
  slot: number,
  remaining: number,
  shown: number,
  cost: Exact,
  fee: Exact,
): void {
  const { details } = state;
  state.excludeOrder(slot);
  const filled = details.filled(slot);
  const all = { cost: sum(filled.cost, cost), fees: fee < 0 ? filled.fees : sum(filled.fees, fee) };
  details.noteFillTime(slot, state.time);
  if (remaining !== 0) {
    details.setFilled(slot, all);
    state.includeOrder(slot, shown);
  }
  const status = remaining === 0 ? OrderStatus.filled : OrderStatus.open;
  state.events.push(state.record(slot, remaining, status, all));
}
