import type { Bug } from './bug.ts';

const proofs = (test: string) => ({ file: 'test/proofs/liabilities.test.ts', test });
const receipts = { file: 'test/proofs/receipts.test.ts', test: 'receipts are in the log' };

/** Faults of proofs of liabilities and of receipts. */
export const proofBugs: readonly Bug[] = [
  {
    name: 'proofs: a node states the sum of its left child',
    file: 'src/archivist/proofs/liability-tree.ts',
    text: 'const total = sum(sums[2 * index]!, sums[2 * index + 1] ?? 0);',
    becomes: 'const total = sum(sums[2 * index]!, 0);',
    catcher: proofs('random states'),
  },
  {
    name: 'proofs: held funds are not owed',
    file: 'src/archivist/proofs/liabilities.ts',
    text: 'const amount = balance === undefined ? 0 : copy.total(balance);',
    becomes: 'const amount = balance === undefined ? 0 : balance.available;',
    catcher: proofs('held funds and fees'),
  },
  {
    name: 'proofs: balances that change while they are copied are the later ones',
    file: 'src/engine/ledger/ledger.ts',
    text: 'preserved.set(balance, sum(balance.available, balance.held));',
    becomes: 'preserved.delete(balance);',
    catcher: { file: 'test/proofs/proof-steps.test.ts', test: 'a proof is of the state' },
  },
  {
    name: 'proofs: funds that become held while balances are copied count twice',
    file: 'src/engine/ledger/ledger.ts',
    text: '    this.keep(balance);\n    balance.held = sum(balance.held, amount);',
    becomes: '    balance.held = sum(balance.held, amount);',
    catcher: { file: 'test/proofs/proof-steps.test.ts', test: 'a proof is of the state' },
  },
  {
    name: 'proofs: the hash of an inner node leaves out the right child',
    file: 'src/archivist/proofs/liability-hashes.ts',
    text: 'scratch.set(right, 1 + NODE_BYTES);',
    becomes: 'scratch.set(left, 1 + NODE_BYTES);',
    catcher: proofs('random states'),
  },
  {
    name: 'proofs: an account has the same nonce for all assets',
    file: 'src/archivist/proofs/liability-hashes.ts',
    text: 'const end = writeText(account, writeText(asset, 0));',
    becomes: 'const end = writeText(account, 0 * asset.length);',
    catcher: proofs('a proof of the same state is the same'),
  },
  {
    name: 'proofs: an account has the same nonce at all positions',
    file: 'src/archivist/proofs/liability-hashes.ts',
    text: 'this.text.set(logHash, NONCE_PURPOSE.length);',
    becomes: 'this.text.set(logHash.subarray(0, 0), NONCE_PURPOSE.length);',
    catcher: proofs('a proof of the same state is the same'),
  },
  {
    name: 'proofs: the verifier does not compare the root with that of the statement',
    file: 'src/client/proofs/liabilities.ts',
    text: 'if (toHex(root.hash) !== stated.tree) {',
    becomes: "if (toHex(root.hash) === '') {",
    catcher: proofs('every changed digit'),
  },
  {
    name: 'proofs: the verifier does not compare the sums with the total',
    file: 'src/client/proofs/liabilities.ts',
    text: 'if (root.sum !== BigInt(stated.total)) {',
    becomes: 'if (root.sum < 0n) {',
    catcher: proofs('a sum that leads to another total'),
  },
  {
    name: 'proofs: a proof of an old position is removed when it is made',
    file: 'src/archivist/proofs/proof-store.ts',
    text: 'NAME.test(each) && each !== name);',
    becomes: 'NAME.test(each) && each !== PART);',
    catcher: proofs('a proof of a position before all others'),
  },
  {
    name: 'receipts: the chain hash is not compared',
    file: 'src/cli/offline/receipts.ts',
    text: 'if (found !== logHash)',
    becomes: "if (found === '')",
    catcher: receipts,
  },
  {
    name: 'receipts: the first command of the batch is taken',
    file: 'src/gateway/endpoints/orders/receipts.ts',
    text: 'index},"timestamp"',
    becomes: 'index ? 0 : 0},"timestamp"',
    catcher: receipts,
  },
  {
    name: 'receipts: the status is not compared',
    file: 'src/cli/offline/receipts.ts',
    text: "...(['status', 'filled'] as const),",
    becomes: "...(['filled'] as const),",
    catcher: { file: receipts.file, test: 'changes, cancellations, OCO orders' },
  },
  {
    name: 'receipts: the second order of an OCO order is compared with the first',
    file: 'src/cli/offline/receipts.ts',
    text: 'orders.find(({ id }) => String(id) === each.orderId) ?? orders[0]!',
    becomes: 'orders[0]!',
    catcher: { file: receipts.file, test: 'changes, cancellations, OCO orders' },
  },
  {
    name: 'receipts: the amount is not compared',
    file: 'src/cli/offline/receipts.ts',
    text: "'type', 'amount', 'clientOrderId'",
    becomes: "'type', 'clientOrderId'",
    catcher: receipts,
  },
];
