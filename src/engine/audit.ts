import { hashAccount, hashBalance, hashClientOrder, hashKey } from './accounts.ts';
import { hashTransfer } from './administration.ts';
import type { AssetTotals } from './ledger.ts';
import { hashAsset, hashLastPrice, hashMarket } from './markets.ts';
import { invariant } from './rejection.ts';
import type { State } from './state.ts';
import { Side } from './terms.ts';

/** An asset's sums, and whether they prove that nothing was made or lost. */
export interface AssetAudit extends AssetTotals {
  readonly asset: string;
  readonly decimals: number;
  /** Σ available + Σ held + fees + external = 0. */
  readonly balances: boolean;
}

export function auditAssets(state: State): AssetAudit[] {
  return state.assets.map(({ index, asset, decimals }) => {
    const totals = state.ledger.totals(state.accounts, index);
    const sum = totals.available + totals.held + totals.fees + totals.external;
    return { asset, decimals, ...totals, balances: sum === 0n };
  });
}

/**
 * Checks the whole state against the invariants that hold between any two commands: books balance,
 * what is held is what open orders reserve, no book is crossed, the digest is that of the state.
 * Takes time in proportion to the state: for snapshots, verification and tests.
 * @throws InvariantError naming what does not hold.
 */
export function auditState(state: State): void {
  for (const audit of auditAssets(state)) {
    invariant(audit.balances, `the sums of ${audit.asset} do not add up to zero`);
  }
  auditHolds(state);
  for (const { symbol, book } of state.markets) {
    const bid = book.bestPrice(Side.buy);
    const ask = book.bestPrice(Side.sell);
    invariant(
      bid === undefined || ask === undefined || bid < ask,
      `the book of ${symbol} is crossed`,
    );
  }
  invariant(countDigest(state) === state.digest, 'the state differs from its running digest');
}

function auditHolds(state: State): void {
  const { orders, details } = state;
  const reserved: bigint[][] = state.accounts.map(() => []);
  state.forEachOrder((slot) => {
    const market = state.markets[details.market(slot)]!;
    const remaining = orders.remaining(slot);
    invariant(remaining > 0, `order ${details.id(slot)} rests with nothing remaining`);
    const isBuy = orders.side[slot] === Side.buy;
    const { index } = isBuy ? market.quote : market.base;
    const own = reserved[orders.account(slot)]!;
    const hold = isBuy
      ? market.notional(orders.price(slot), remaining)
      : market.baseAmount(remaining);
    own[index] = (own[index] ?? 0n) + hold;
  });
  for (const account of state.accounts) {
    account.balances.forEach((balance, asset) => {
      if (balance === undefined) return;
      const isSound = balance.available >= 0n && balance.held >= 0n;
      invariant(isSound, `account ${account.id} has less than zero of asset ${asset}`);
      const expected = reserved[account.index]![asset] ?? 0n;
      invariant(
        balance.held === expected,
        `account ${account.id} has ${balance.held} of asset ${asset} held, its orders reserve ${expected}`,
      );
    });
  }
}

/** The digest, counted anew from every element. */
function countDigest(state: State): number {
  let elements = 0;
  let balances = 0;
  const include = (hash: number): void => {
    elements = (elements + hash) | 0;
  };
  for (const asset of state.assets) {
    include(hashAsset(asset));
    balances = (balances + state.ledger.hashOwn(asset.index)) | 0;
  }
  for (const market of state.markets) {
    include(hashMarket(market));
    include(hashLastPrice(market));
  }
  for (const key of state.keys) include(hashKey(key));
  for (const transfer of state.transfers.values()) include(hashTransfer(transfer));
  for (const account of state.accounts) {
    include(hashAccount(account));
    for (const balance of account.balances) {
      if (balance !== undefined) balances = (balances + hashBalance(balance)) | 0;
    }
  }
  for (const order of state.remembered()) include(hashClientOrder(order));
  state.forEachOrder((slot) => include(state.hashOrder(slot, state.orders.remaining(slot))));
  return state.digestOf(elements, balances);
}
