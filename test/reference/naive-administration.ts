import type {
  ChangeMarketRules,
  CreateAccount,
  CreateAsset,
  ListedRules,
  ListMarket,
  SetAccountLimitClass,
  SetAccountStatus,
  SetMarketStatus,
  Transfer,
} from '../../src/engine/command.ts';
import { MAX_ASSET_DECIMALS, MAX_ASSET_TOTAL, MAX_REMEMBERED } from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType, MarketStatus } from '../../src/engine/terms.ts';
import { addCall, changeStatus, uncrossingPrice } from './naive-auctions.ts';
import { areRates, areRebatesPaid } from './naive-fees.ts';
import type {
  NaiveAccount,
  NaiveAsset,
  NaiveKey,
  NaiveMarket,
  NaiveState,
  NaiveTransfer,
} from './naive-state.ts';
import { isRestricted } from './naive-state.ts';

export type NaiveAdministrationOutcome =
  | Rejection
  | { readonly kind: 'asset'; readonly asset: NaiveAsset }
  | { readonly kind: 'market'; readonly market: NaiveMarket }
  | { readonly kind: 'account'; readonly account: NaiveAccount; readonly created: boolean }
  | { readonly kind: 'key'; readonly key: NaiveKey }
  | { readonly kind: 'transfer'; readonly transfer: NaiveTransfer; readonly created: boolean };

type Result = NaiveAdministrationOutcome;

export function reject(code: RejectionCode): Rejection {
  return { kind: 'rejected', code };
}

export function createAsset(state: NaiveState, command: CreateAsset): Result {
  const { asset: ticker, name, decimals } = command;
  const known = state.assets.find((each) => each.asset === ticker);
  if (known !== undefined) {
    const isSame = known.name === name && known.decimals === decimals;
    return isSame ? { kind: 'asset', asset: known } : reject(RejectionCode.alreadyExists);
  }
  if (!/^[A-Z0-9]{1,12}$/.test(ticker) || decimals < 0 || decimals > MAX_ASSET_DECIMALS) {
    return reject(RejectionCode.invalidRules);
  }
  const asset = { index: state.assets.length, asset: ticker, name, decimals };
  state.assets.push(asset);
  state.fees.push(0n);
  state.external.push(0n);
  return { kind: 'asset', asset };
}

export function listMarket(state: NaiveState, command: ListMarket): Result {
  const base = state.assets.find((each) => each.asset === command.base);
  const quote = state.assets.find((each) => each.asset === command.quote);
  if (base === undefined || quote === undefined) return reject(RejectionCode.unknownAsset);
  const symbol = `${base.asset}/${quote.asset}`;
  if (state.markets.some((each) => each.symbol === symbol)) {
    return reject(RejectionCode.alreadyExists);
  }
  const { opensAt } = command;
  const isEarly = opensAt !== undefined && opensAt !== 0 && opensAt <= state.time;
  if (!isValid(state, command, base, quote) || isEarly) return reject(RejectionCode.invalidRules);
  if (state.version < 2 && (opensAt !== undefined || hasAuctions(command))) {
    return reject(RejectionCode.invalidRules);
  }
  const market: NaiveMarket = {
    index: state.markets.length,
    symbol,
    base,
    quote,
    rules: {
      priceDecimals: command.priceDecimals,
      amountDecimals: command.amountDecimals,
      tick: command.tick,
      step: command.step,
      minPrice: command.minPrice,
      maxPrice: command.maxPrice,
      minAmount: command.minAmount,
      maxAmount: command.maxAmount,
      minNotional: command.minNotional,
      makerFee: command.makerFee,
      takerFee: command.takerFee,
      referencePrice: command.referencePrice,
      collar: command.collar,
      staticBand: command.staticBand ?? 0,
      dynamicBand: command.dynamicBand ?? 0,
      auctionMs: command.auctionMs ?? 0,
    },
    listedAt: state.time,
    status: MarketStatus.online,
    lastPrice: 0,
    bookSequence: 0,
    bookChangedAt: 0,
  };
  state.markets.push(market);
  if (opensAt !== undefined) {
    addCall(state, market, {
      cause: 'opening',
      endsAt: opensAt,
      nextStatus: MarketStatus.online,
    });
  }
  return { kind: 'market', market };
}

/**
 * Returns whether tick × step is a whole number of minor units of the quote and step one of the
 * base, and all values are on the grid.
 */
function isValid(
  state: NaiveState,
  rules: ListedRules,
  base: NaiveAsset,
  quote: NaiveAsset,
): boolean {
  const onGrid = (value: number, multiple: number) => value > 0 && value % multiple === 0;
  return (
    base.asset !== quote.asset &&
    rules.amountDecimals <= base.decimals &&
    rules.priceDecimals + rules.amountDecimals <= quote.decimals &&
    rules.tick > 0 &&
    rules.step > 0 &&
    onGrid(rules.minPrice, rules.tick) &&
    onGrid(rules.maxPrice, rules.tick) &&
    onGrid(rules.referencePrice, rules.tick) &&
    onGrid(rules.minAmount, rules.step) &&
    onGrid(rules.maxAmount, rules.step) &&
    rules.minPrice <= rules.maxPrice &&
    rules.minAmount <= rules.maxAmount &&
    rules.minNotional >= 0n &&
    areRates(state, rules) &&
    areRebatesPaid({ ...state, markets: [{ rules, status: MarketStatus.online }] }) &&
    hasValidAuctions(rules)
  );
}

function hasAuctions({ staticBand = 0, dynamicBand = 0, auctionMs = 0 }: Partial<ListedRules>) {
  return staticBand + dynamicBand + auctionMs > 0;
}

function hasValidAuctions({
  staticBand = 0,
  dynamicBand = 0,
  auctionMs = 0,
}: ListedRules): boolean {
  const areBands = [staticBand, dynamicBand].every((band) => band >= 0 && band <= 1_000_000);
  const hasLength = auctionMs > 0 || staticBand + dynamicBand === 0;
  return areBands && hasLength && auctionMs >= 0 && auctionMs <= 86_400_000;
}

export function setMarketStatus(state: NaiveState, command: SetMarketStatus): Result {
  const market = state.markets[command.market];
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  if ([command.status, market.status].includes(MarketStatus.delisted)) {
    return reject(RejectionCode.invalidRules);
  }
  if (command.status === MarketStatus.auction && state.version < 2) {
    return reject(RejectionCode.invalidRules);
  }
  const trades: readonly number[] = [
    MarketStatus.online,
    MarketStatus.postOnly,
    MarketStatus.limitOnly,
  ];
  if (isRestricted(state) && trades.includes(command.status)) {
    if (uncrossingPrice(state, market) !== undefined) return reject(RejectionCode.invalidRules);
  }
  changeStatus(state, market, command);
  return { kind: 'market', market };
}

export function changeMarketRules(state: NaiveState, command: ChangeMarketRules): Result {
  const market = state.markets[command.market];
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  const rules = { ...market.rules, ...command.rules };
  if (
    market.status === MarketStatus.delisted ||
    !isValid(state, rules, market.base, market.quote)
  ) {
    return reject(RejectionCode.invalidRules);
  }
  if (state.version < 2 && hasAuctions(command.rules)) return reject(RejectionCode.invalidRules);
  market.rules = rules;
  if (rules.staticBand === 0) state.references.delete(market.index);
  return { kind: 'market', market };
}

export function createAccount(state: NaiveState, command: CreateAccount): Result {
  const { accountId: id, limitClass } = command;
  const known = state.accounts.find((each) => each.id === id);
  if (known !== undefined && known.limitClass !== limitClass) {
    return reject(RejectionCode.alreadyExists);
  }
  if (known !== undefined) return { kind: 'account', account: known, created: false };
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(id) || limitClass < 1 || limitClass > 1000) {
    return reject(RejectionCode.invalidRules);
  }
  const index = state.accounts.length;
  const account = { index, id, limitClass, createdAt: state.time, frozen: false, feeTier: -1 };
  state.accounts.push(account);
  return { kind: 'account', account, created: true };
}

export function setAccountStatus(state: NaiveState, command: SetAccountStatus): Result {
  const account = state.accounts[command.owner];
  if (account === undefined) return reject(RejectionCode.unknownAccount);
  account.frozen = command.frozen;
  return { kind: 'account', account, created: false };
}

export function setAccountLimitClass(state: NaiveState, command: SetAccountLimitClass): Result {
  const account = state.accounts[command.owner];
  if (account === undefined) return reject(RejectionCode.unknownAccount);
  const { limitClass } = command;
  if (limitClass < 1 || limitClass > 1000) return reject(RejectionCode.invalidRules);
  account.limitClass = limitClass;
  return { kind: 'account', account, created: false };
}

export function transfer(state: NaiveState, command: Transfer): Result {
  const { owner, asset, reference } = command;
  const amount = BigInt(command.amount);
  if (state.accounts[owner] === undefined) return reject(RejectionCode.unknownAccount);
  if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
  const remembered = state.transfers.slice(state.forgottenTransfers);
  const known = remembered.find((each) => each.reference === reference);
  if (known !== undefined) {
    const isSame = known.account === owner && known.asset === asset && known.amount === amount;
    return isSame
      ? { kind: 'transfer', transfer: known, created: false }
      : reject(RejectionCode.duplicateReference);
  }
  // Ids are consecutive, so the number of forgotten transfers is the id of the newest one.
  const { searchedBelow = 0 } = command;
  if (state.version >= 2 && state.forgottenTransfers > 0) {
    if (searchedBelow <= state.forgottenTransfers) return reject(RejectionCode.needsHistory);
  }
  if (amount === 0n) return reject(RejectionCode.amountOutOfBounds);
  const available = state.available(owner, asset);
  if (available + amount < 0n) {
    const code = RejectionCode.insufficientBalance;
    return { kind: 'rejected', code, required: -amount, available, asset };
  }
  if (amount - state.external[asset]! >= MAX_ASSET_TOTAL) {
    return reject(RejectionCode.amountOutOfBounds);
  }
  const id = state.nextTransferId++;
  const record = { id, account: owner, asset, amount, reference, time: state.time };
  state.transfers.push(record);
  for (let turn = 0; turn < 2 && state.version >= 2; turn++) {
    if (state.transfers.length - state.forgottenTransfers > MAX_REMEMBERED.transfers) {
      state.forgottenTransfers++;
    }
  }
  state.post(owner, asset, EntryType.transfer, amount, id);
  state.external[asset]! -= amount;
  return { kind: 'transfer', transfer: record, created: true };
}
