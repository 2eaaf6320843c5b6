import { integer, list, record, reference, text, timestamp } from './json-schema.ts';

/** The records of proofs, for the OpenAPI document. Amounts in them are texts: exactly what is hashed. */

const EXAMPLE_HASH = '5f3a'.repeat(16);

export function hash(description: string) {
  return text(`${description} 64 hexadecimal digits.`, EXAMPLE_HASH);
}

const asset = text('The asset.', 'BTC');

const AssetLiabilities = record({
  asset,
  decimals: integer("Decimals of the asset's smallest unit, in which the amounts are.", 8),
  treeDepth: integer('Number of levels of its tree above the leaves.', 7),
  tree: hash("Hash of the tree's root."),
  total: text('Balances of all accounts together, available and held.', '2500000000'),
  fees: text('Fees that the exchange has collected and holds.', '125000'),
  external: text('The balance of everything outside: negative, what was deposited.', '-2500125000'),
});

const LiabilityProof = record({
  id: text('Id of the proof.', '1042'),
  position: integer('The last batch of the log that it includes.', 1042),
  timestamp: timestamp('Time of that batch.'),
  logHash: hash('Chain hash of the log at that position.'),
  root: hash('SHA-256 of everything above and of all assets.'),
  assets: list(reference('AssetLiabilities'), 'Every asset of the exchange.'),
});

const ProofNode = record({
  hash: hash('Hash of the node.'),
  sum: text('Sum of the leaves below it.', '700000000'),
});

const IncludedBalance = record({
  asset,
  amount: text('Your balance, available and held, in the smallest unit.', '150000000'),
  nonce: hash('The secret number that hides your leaf from others.'),
  index: integer('Place of your leaf, from 0.', 5),
  path: list(
    reference('ProofNode'),
    'The sibling of each node on the way to the root, lowest first.',
  ),
});

/** The place of a command in the log. */
const Receipt = record({
  position: integer('Position of the batch in the log.', 1042),
  index: integer('Index of the command in that batch, from 0.', 0),
  timestamp: timestamp('Time of that batch.'),
  logHash: hash('Chain hash of the log at that position.'),
});

export const PROOF_RECORDS = {
  AssetLiabilities,
  LiabilityProof,
  ProofNode,
  IncludedBalance,
  Receipt,
};
