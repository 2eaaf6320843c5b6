import { auditAssets } from '../../engine/audit/audit.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { invariant } from '../../engine/rejection.ts';
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

interface Totals extends Holdings {
  readonly decimals: number;
  readonly total: Exact;
  readonly fees: Exact;
  readonly external: Exact;
}

/**
 * Makes the proof of a state, in steps of some milliseconds. The balances are copied in the first step: the state may change
 * after it.
 * @throws RangeError if a total has more than 256 bits
 * @throws InvariantError if the leaves of an asset do not add up to what the ledger owes
 */
export function* proveLiabilities(
  recovered: Recovered,
  secret: Uint8Array,
): Generator<void, LiabilityTrees> {
  const { position, exchange } = recovered;
  const time = new Date(exchange.state.time).toISOString();
  const collected = collect(recovered);
  yield;
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

/** Copies the balances above zero. */
function collect({ exchange: { state } }: Recovered): Totals[] {
  const audits = auditAssets(state);
  return state.assets.map(({ index, asset, decimals }) => {
    const accounts: string[] = [];
    const amounts: Exact[] = [];
    for (const { id, balances } of state.accounts) {
      const balance = balances[index];
      const amount = balance === undefined ? 0 : sum(balance.available, balance.held);
      if (amount === 0) continue;
      accounts.push(id);
      amounts.push(amount);
    }
    const { available, held, fees, external } = audits[index]!;
    return { asset, decimals, accounts, amounts, total: sum(available, held), fees, external };
  });
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
