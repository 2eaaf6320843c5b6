import type {
  Announce,
  BustTrade,
  CancelMaintenance,
  ScheduleMaintenance,
  SetTradingStatus,
  TradeTerms,
  WithdrawAnnouncement,
} from '../../src/engine/command.ts';
import {
  MAX_ANNOUNCEMENT_LENGTH,
  MAX_ANNOUNCEMENTS,
  MAX_MAINTENANCE,
  MAX_NOTICE_LENGTH,
  MAX_REASON_LENGTH,
  MAX_TITLE_LENGTH,
} from '../../src/engine/limits.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType, MarketStatus, OrderReason, Side } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { cancelMarketInPortions } from './naive-portions.ts';
import type { NaiveState } from './naive-state.ts';
import { inBase, isStop, worth } from './naive-values.ts';

type Result = Rejection | { readonly kind: 'done' };

const RESTRICTIONS: readonly number[] = [MarketStatus.cancelOnly, MarketStatus.halted];

export function setTradingStatus(state: NaiveState, command: SetTradingStatus): Result {
  const { status, reason, cancelOrders } = command;
  if (!isNotice(state, reason)) return reject(RejectionCode.invalidRules);
  if (status === MarketStatus.online ? cancelOrders : !RESTRICTIONS.includes(status)) {
    return reject(RejectionCode.invalidRules);
  }
  const isCanceling = state.sweeps.some(
    (sweep) => sweep.account === -1 && sweep.reason === OrderReason.operator,
  );
  if (status === MarketStatus.online && isCanceling) {
    return reject(RejectionCode.cancellationInProgress);
  }
  state.killSwitch = { status, reason, since: state.time };
  if (cancelOrders && !isCanceling) cancelAll(state);
  return { kind: 'done' };
}

function cancelAll(state: NaiveState): void {
  for (const { index, status } of state.markets) {
    const isEmpty = !state.open.some(({ market }) => market === index);
    if (isEmpty || status === MarketStatus.delisted) continue;
    untrigger(state, index);
    cancelMarketInPortions(state, index, OrderReason.operator);
  }
}

/** Makes the triggered stops of a market pending again; triggered trailing stops end before the others. */
export function untrigger(state: NaiveState, market: number): void {
  const triggered = state.triggered.filter((each) => each.market === market);
  const pending = triggered.filter(({ type, trailing }) => isStop(type) && trailing === undefined);
  for (const order of pending) {
    state.remove(order);
    state.stops.push(order);
  }
}

export function scheduleMaintenance(state: NaiveState, command: ScheduleMaintenance): Result {
  const { from, to, mode, message } = command;
  if (!isNotice(state, message) || !RESTRICTIONS.includes(mode) || to <= from || to <= state.time) {
    return reject(RejectionCode.invalidRules);
  }
  const others = state.maintenance.filter((each) => each.from !== from);
  if (others.some((each) => !(to <= each.from || each.to <= from))) {
    return reject(RejectionCode.invalidRules);
  }
  if (others.length === MAX_MAINTENANCE) return reject(RejectionCode.limitReached);
  const period = { from, to, mode, message, isActive: from <= state.time };
  state.maintenance = [...others, period].sort((a, b) => a.from - b.from);
  return { kind: 'done' };
}

export function cancelMaintenance(state: NaiveState, { from }: CancelMaintenance): Result {
  const others = state.maintenance.filter((each) => each.from !== from);
  if (others.length === state.maintenance.length) return reject(RejectionCode.unknownMaintenance);
  state.maintenance = others;
  return { kind: 'done' };
}

export function announce(state: NaiveState, command: Announce): Result {
  const { severity, title, text, until } = command;
  const isValid =
    state.version >= 2 &&
    [0, 1].includes(severity) &&
    title.trim() !== '' &&
    title.length <= MAX_TITLE_LENGTH &&
    text.length <= MAX_ANNOUNCEMENT_LENGTH &&
    (until === 0 || until > state.time);
  if (!isValid) return reject(RejectionCode.invalidRules);
  if (state.announcements.length === MAX_ANNOUNCEMENTS) return reject(RejectionCode.limitReached);
  const id = ++state.announced;
  state.announcements.push({ id, severity, title, text, until, time: state.time });
  return { kind: 'done' };
}

export function withdrawAnnouncement(
  { announcements }: NaiveState,
  { id }: WithdrawAnnouncement,
): Result {
  const place = announcements.findIndex((each) => each.id === id);
  if (place < 0) return reject(RejectionCode.unknownAnnouncement);
  announcements.splice(place, 1);
  return { kind: 'done' };
}

function isNotice({ version }: NaiveState, text: string): boolean {
  return version >= 2 && text.trim() !== '' && text.length <= MAX_NOTICE_LENGTH;
}

/** Keeps the terms of the trades of a command, as history does. */
export function rememberTrades(state: NaiveState): void {
  for (const { kind, cost, makerFee, takerFee, isAuction, ...trade } of state.events) {
    if (kind !== 'trade') continue;
    const fees = {
      makerFeePaid: exact(makerFee as bigint),
      takerFeePaid: exact(takerFee as bigint),
    };
    state.trades.push({ ...trade, ...fees } as unknown as TradeTerms);
  }
}

/** Gives both sides of a trade back what they gave. */
export function bustTrade(state: NaiveState, { trade, reason }: BustTrade): Result {
  const { id, market: index, makerAccount, takerAccount, price, amount } = trade;
  const market = state.markets[index];
  if (state.version < 2 || reason.trim() === '' || reason.length > MAX_REASON_LENGTH) {
    return reject(RejectionCode.invalidRules);
  }
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  if ([makerAccount, takerAccount].some((each) => state.accounts[each] === undefined)) {
    return reject(RejectionCode.unknownAccount);
  }
  if (id < 1 || id >= state.nextTradeId) return reject(RejectionCode.unknownTrade);
  if (state.busts.has(id)) return reject(RejectionCode.alreadyBusted);
  const base = { asset: market.base.index, amount: inBase(market, amount) };
  const quote = { asset: market.quote.index, amount: worth(market, price, amount) };
  const [bought, sold] = trade.takerSide === Side.buy ? [base, quote] : [quote, base];
  const [makerFee, takerFee] = [BigInt(trade.makerFeePaid), BigInt(trade.takerFeePaid)];
  const makerFeeAsset = makerFee < 0n ? bought.asset : sold.asset;
  const sides = [
    { account: makerAccount, gave: bought, got: sold, fee: makerFee, feeAsset: makerFeeAsset },
    { account: takerAccount, gave: sold, got: bought, fee: takerFee, feeAsset: bought.asset },
  ];
  if (takerFee < 0n || -makerFee > takerFee) return reject(RejectionCode.unknownTrade);
  for (const { gave, got, fee } of sides) {
    if (gave.amount <= 0n || fee > got.amount) return reject(RejectionCode.unknownTrade);
  }
  const fees = [...state.fees];
  for (const { fee, feeAsset } of sides) fees[feeAsset]! -= fee;
  for (const { account, got, fee, feeAsset } of sides) {
    const own = makerAccount === takerAccount ? got.amount : 0n;
    const kept = feeAsset === got.asset ? fee : 0n;
    const available = state.available(account, got.asset) + own;
    const required = got.amount - kept;
    if (available < required) return lacking({ asset: got.asset, available, required });
  }
  for (const { fee, feeAsset: asset } of sides) {
    // A rebate returns to the fees before the taker's fee leaves them.
    const available = fees[asset]! + fee;
    if (fee > available) return lacking({ asset, available, required: fee });
  }
  for (const { account, gave, fee, feeAsset } of sides) {
    state.post(account, gave.asset, EntryType.tradeBust, gave.amount, id);
    if (fee === 0n) continue;
    state.post(account, feeAsset, EntryType.tradeBustFee, fee, id);
    state.fees[feeAsset]! -= fee;
  }
  for (const { account, got } of sides) {
    state.post(account, got.asset, EntryType.tradeBust, -got.amount, id);
  }
  state.busts.set(id, state.time);
  return { kind: 'done' };
}

/** The amounts are of the asset with this index, in minor units. */
function lacking(shortfall: { asset: number; available: bigint; required: bigint }): Rejection {
  return { ...reject(RejectionCode.insufficientBalance), ...shortfall } as never;
}
