import type { LiabilityTrees } from './liabilities.ts';
import { NONCE_BYTES } from './liability-hashes.ts';

/**
 * Returns the lines of a complete list of leaves: the proof and the number of leaves of each asset, then a leaf per line, in the
 * order of the trees. It shows every account's balances, with the nonces that hide them: it is for auditors only.
 */
export function* dumpLines({ proof, holdings, trees }: LiabilityTrees): Generator<string> {
  yield JSON.stringify({ proof, leaves: trees.map(({ order }) => order.length) });
  for (const [place, { order, nonces }] of trees.entries()) {
    const { asset, accounts, amounts } = holdings[place]!;
    for (const [at, index] of order.entries()) {
      const nonce = nonces.subarray(at * NONCE_BYTES, (at + 1) * NONCE_BYTES).toHex();
      const leaf = { asset, account: accounts[index]!, nonce, amount: String(amounts[index]!) };
      yield JSON.stringify(leaf);
    }
  }
}
