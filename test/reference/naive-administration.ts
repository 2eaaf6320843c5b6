import {
  type ChangeMarketRules,
  CommandKind,
  type CreateAccount,
  type CreateAsset,
  type CreateHmacKey,
  type CreateKey,
  type CreateSignedKey,
  type ListedRules,
  type ListMarket,
  type ResealKey,
  type RevokeKey,
  type SetAccountLimitClass,
  type SetAccountStatus,
  type SetMarketStatus,
  type Transfer,
  type UseSignature,
} from '../../src/engine/command.ts';
import {
  MAX_ASSET_DECIMALS,
  MAX_ASSET_TOTAL,
  MAX_ENDED_KEYS_PER_ACCOUNT,
  MAX_KEYS_PER_ACCOUNT,
  MAX_REMEMBERED,
  MAX_SIGNATURE_LIFETIME_MS,
} from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import {
  ALL_PERMISSIONS,
  EntryType,
  MarketStatus,
  OPERATOR_PERMISSIONS,
  Permission,
} from '../../src/engine/terms.ts';
import { addCall, changeStatus, uncrossingPrice } from './naive-auctions.ts';
import { areRates, areRebatesPaid } from './naive-fees.ts';
import { isClosed } from './naive-owners.ts';
import type {
  NaiveAccount,
  NaiveAsset,
  NaiveKey,
  NaiveMarket,
  NaiveSignature,
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

/** Returns whether the engine accepts a sealed secret. */
function isSealed(state: NaiveState, sealed: Uint8Array): boolean {
  return state.version >= 2 && sealed.length >= 29 && sealed.length <= 256;
}

export function resealKey(state: NaiveState, { apiKey, sealedSecret }: ResealKey): Result {
  if (!isSealed(state, sealedSecret)) return reject(RejectionCode.invalidRules);
  const key = present(state).find((each) => each.apiKey === apiKey);
  if (key?.sealedSecret === undefined) return reject(RejectionCode.unknownKey);
  key.sealedSecret = sealedSecret.toHex();
  return { kind: 'key', key };
}

export function createKey(
  state: NaiveState,
  command: CreateKey | CreateSignedKey | CreateHmacKey,
): Result {
  const { owner, apiKey, permissions, label, addresses, expiresAt } = command;
  const isSigned = command.kind === CommandKind.createSignedKey;
  if (isSigned && (state.version < 2 || command.publicKey.length !== 32)) {
    return reject(RejectionCode.invalidRules);
  }
  const isHmac = command.kind === CommandKind.createHmacKey;
  if (
    isHmac &&
    (!isSealed(state, command.sealedSecret) || (permissions & OPERATOR_PERMISSIONS) !== 0)
  ) {
    return reject(RejectionCode.invalidRules);
  }
  if (state.accounts[owner] === undefined) return reject(RejectionCode.unknownAccount);
  if (isClosed(state, owner)) return reject(RejectionCode.accountClosed);
  if (present(state).some((each) => each.apiKey === apiKey))
    return reject(RejectionCode.alreadyExists);
  const known = state.version < 2 ? 7 : ALL_PERMISSIONS;
  if (permissions < 1 || permissions > known) return reject(RejectionCode.invalidRules);
  if (exceedsGrant(state, command)) return reject(RejectionCode.insufficientPermissions);
  const withdraws = (permissions & Permission.withdraw) !== 0;
  if (withdraws && addresses.length === 0) return reject(RejectionCode.invalidRules);
  const inForce = present(state).filter(
    (each) =>
      each.owner === owner && (state.version < 2 ? each.revokedAt === 0 : !hasEnded(each, state)),
  );
  if (inForce.length >= MAX_KEYS_PER_ACCOUNT) return reject(RejectionCode.limitReached);
  const key: NaiveKey = {
    index: state.keys.length,
    apiKey,
    owner,
    secretHash: isSigned || isHmac ? '' : command.secretHash.toHex(),
    publicKey: isSigned ? command.publicKey.toHex() : undefined,
    sealedSecret: isHmac ? command.sealedSecret.toHex() : undefined,
    permissions,
    label,
    addresses,
    createdAt: state.time,
    expiresAt,
    revokedAt: 0,
  };
  state.keys.push(key);
  dropEndedKeys(state, owner);
  return { kind: 'key', key };
}

/** Returns whether a key grants another one what it may not: operators have `read`, and give customers `trade`. */
function exceedsGrant(
  { version, keys }: NaiveState,
  { account, key, owner, permissions }: CreateKey | CreateSignedKey | CreateHmacKey,
): boolean {
  if (version < 2 || key === -1) return false;
  const held = keys[key]!.permissions;
  const isAdministrator = (held & Permission.operate) !== 0;
  return Object.values(Permission).some((bit) => {
    const isGranted = (permissions & bit) !== 0;
    const isOperators = (OPERATOR_PERMISSIONS & bit) !== 0 || bit === Permission.read;
    const isForCustomer = bit === Permission.trade && owner !== account;
    const mayGrant = (held & bit) !== 0 || (isAdministrator && (isOperators || isForCustomer));
    return isGranted && !mayGrant;
  });
}

/** Uses a signed request, which can be used once. */
export function useSignature(
  state: NaiveState,
  { account, key, hash, expiresAt }: UseSignature,
): Result | { readonly kind: 'done' } {
  const { time } = state;
  const known = state.keys[key];
  const isValid = known?.secretHash === '' && known.owner === account;
  if (!isValid || hasEnded(known, state)) return reject(RejectionCode.unauthorized);
  if (time > expiresAt || expiresAt > time + MAX_SIGNATURE_LIFETIME_MS) {
    return reject(RejectionCode.signatureExpired);
  }
  const own = state.signatures.filter((each) => each.key === key);
  if (own.some((each) => each.hash === hash.toHex())) return reject(RejectionCode.signatureUsed);
  const isOver = ({ usedAt }: NaiveSignature) => usedAt < time - MAX_SIGNATURE_LIFETIME_MS;
  const over = state.signatures.filter(isOver);
  if (own.length >= MAX_REMEMBERED.signatures && over.length === 0) {
    return reject(RejectionCode.limitReached);
  }
  const forgotten = over.slice(0, 4);
  state.signatures = state.signatures.filter((each) => !forgotten.includes(each));
  state.signatures.push({ key, hash: hash.toHex(), usedAt: time });
  return { kind: 'done' };
}

export function revokeKey(state: NaiveState, command: RevokeKey): Result {
  const key = present(state).find((each) => each.apiKey === command.apiKey);
  if (key === undefined) return reject(RejectionCode.unknownKey);
  if (isNeeded(state, key, [key])) return reject(RejectionCode.invalidRules);
  revoke(state, [key]);
  return { kind: 'key', key };
}

/** Revokes the keys of an account. @returns false, having changed nothing, if the exchange could not be operated without them */
export function revokeAccountKeys(state: NaiveState, owner: number): boolean {
  const keys = present(state).filter((key) => key.owner === owner);
  if (keys.some((key) => isNeeded(state, key, keys))) return false;
  revoke(state, keys);
  return true;
}

function revoke(state: NaiveState, keys: readonly NaiveKey[]): void {
  for (const key of keys) {
    if (key.revokedAt !== 0) continue;
    key.revokedAt = state.time;
    dropEndedKeys(state, key.owner);
  }
}

/** Returns whether no operator key but the revoked ones could replace a key. */
function isNeeded(state: NaiveState, key: NaiveKey, revoked: readonly NaiveKey[]): boolean {
  const operators = present(state).filter(
    (each) => (each.permissions & Permission.operate) !== 0 && !hasEnded(each, state),
  );
  // A key without expiry outlasts all others.
  const end = ({ expiresAt }: NaiveKey) => expiresAt || Number.POSITIVE_INFINITY;
  const others = operators.filter((each) => !revoked.includes(each));
  const replacing = others.filter(
    (each) =>
      state.version < 2 ||
      (end(each) >= end(key) && (each.addresses.length === 0 || key.addresses.length > 0)),
  );
  return operators.includes(key) && replacing.length === 0;
}

function present(state: NaiveState): NaiveKey[] {
  return state.keys.filter((key) => key !== undefined);
}

function hasEnded({ revokedAt, expiresAt }: NaiveKey, { time }: NaiveState): boolean {
  return revokedAt !== 0 || (expiresAt !== 0 && time >= expiresAt);
}

/** Drops the ended keys of an account that ended first. */
export function dropEndedKeys(state: NaiveState, owner: number): void {
  if (state.version < 2) return;
  const ended = present(state).filter((key) => key.owner === owner && hasEnded(key, state));
  const end = ({ revokedAt, expiresAt }: NaiveKey) =>
    Math.min(revokedAt || Number.POSITIVE_INFINITY, expiresAt || Number.POSITIVE_INFINITY);
  while (ended.length > MAX_ENDED_KEYS_PER_ACCOUNT) {
    const first = ended.reduce((a, b) => (end(b) < end(a) ? b : a));
    ended.splice(ended.indexOf(first), 1);
    state.keys[first.index] = undefined;
  }
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
