import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { invariant } from '../../engine/rejection.ts';
import type { State } from '../../engine/state.ts';
import { HASH_BYTES } from '../../log/hash.ts';
import type { Recovered } from '../recovery.ts';
import { paddingNodes } from './liability-hashes.ts';
import { buildTree, type Holdings, type LiabilityTree } from './liability-tree.ts';

/** The debts of the exchange in one asset. Amounts are in the asset's smallest unit, as text. */
export interface AssetLiabilities {
  readonly asset: string;
  readonly decimals: number;
  /** Number of levels of the tree above its leaves. */
  readonly treeDepth: number;
  /** Hash of the tree's root. */
  readonly tree: string;
  /** The sum of all accounts, available and held. */
  readonly total: string;
  readonly fees: string;
  readonly external: string;
}

/** A proof of liabilities as it is published. Hashes are hexadecimal. */
export interface LiabilityProof {
  /** The position, as text. */
  readonly id: string;
  /** The last batch of the log that it includes. */
  readonly position: number;
  /** The time of that batch, ISO 8601. */
  readonly timestamp: string;
  /** The log's hash at that position. */
  readonly logHash: string;
  readonly root: string;
  readonly assets: readonly AssetLiabilities[];
}

/** A proof with its trees, by the index of its assets. */
export interface LiabilityTrees {
  readonly proof: LiabilityProof;
  readonly holdings: readonly Holdings[];
  readonly trees: readonly LiabilityTree[];
}

/** Accounts whose balances are copied in one step, a millisecond or two of work. */
const ACCOUNTS_PER_STEP = 1000;

interface Totals extends Holdings {
  readonly decimals: number;
  readonly total: Exact;
  readonly fees: Exact;
  readonly external: Exact;
}

/**
 * Makes the proof of the state at the first step, in steps of some milliseconds. The state may change between them.
 * @throws RangeError if a total has more than 256 bits
 * @throws InvariantError if the leaves of an asset do not add up to what the ledger owes
 */
export function* proveLiabilities(
  recovered: Recovered,
  secret: Uint8Array,
): Generator<void, LiabilityTrees> {
  const { position, exchange } = recovered;
  const time = new Date(exchange.state.time).toISOString();
  const collected = yield* collect(exchange.state);
  const trees: LiabilityTree[] = [];
  const assets: AssetLiabilities[] = [];
  for (const totals of collected) {
    const tree = yield* buildTree(totals, secret, position.hash);
    invariant(
      tree.total === totals.total,
      `the proof's sum of ${totals.asset} is not the ledger's`,
    );
    trees.push(tree);
    assets.push(toLiabilities(totals, tree));
  }
  const statement = {
    id: String(position.sequence),
    position: position.sequence,
    timestamp: time,
    logHash: position.hash.toHex(),
    assets,
  };
  return { proof: { ...statement, root: rootHash(statement) }, holdings: collected, trees };
}

function toLiabilities(
  { asset, decimals, total, fees, external }: Totals,
  tree: LiabilityTree,
): AssetLiabilities {
  return {
    asset,
    decimals,
    treeDepth: tree.depth,
    tree: (tree.levels[tree.depth]!.length === 0 ? paddingNodes(0)[0]! : tree.levels[tree.depth]!)
      .subarray(0, HASH_BYTES)
      .toHex(),
    total: String(total),
    fees: String(fees),
    external: String(external),
  };
}

/** Copies the balances above zero in steps, as they are at the first one. */
function* collect({ accounts, assets, ledger }: State): Generator<void, Totals[]> {
  const copied = assets.map(({ index, asset, decimals }) => {
    const [fees, external] = [ledger.fees[index]!, ledger.external[index]!];
    // What the ledger owes follows from its other side, so that a copy with a gap is found.
    const total = difference(0, sum(fees, external));
    const holdings = { accounts: [] as string[], amounts: [] as Exact[] };
    return { asset, decimals, ...holdings, total, fees, external };
  });
  const count = accounts.length;
  const copy = ledger.beginCopy();
  try {
    for (let place = 0; place < count; place++) {
      if (place % ACCOUNTS_PER_STEP === 0) yield;
      const { id, balances } = accounts[place]!;
      for (const balance of balances) {
        const amount = balance === undefined ? 0 : copy.total(balance);
        const holdings = balance && copied[balance.asset];
        if (amount === 0 || holdings === undefined) continue;
        holdings.accounts.push(id);
        holdings.amounts.push(amount);
      }
    }
    return copied;
  } finally {
    copy.end();
  }
}

/** Returns the SHA-256 of a proof's text, which commits to everything that is published. */
export function rootHash(proof: Omit<LiabilityProof, 'root'>): string {
  const assets = proof.assets.map(
    ({ asset, decimals, treeDepth, tree, total, fees, external }) =>
      `asset ${asset} decimals ${decimals} depth ${treeDepth} tree ${tree} total ${total} fees ${fees} external ${external}\n`,
  );
  const text =
    'Buttonwood proof of liabilities 1\n' +
    `position ${proof.position}\ntime ${proof.timestamp}\nlog ${proof.logHash}\n${assets.join('')}`;
  return new Bun.SHA256().update(text).digest('hex');
}
