import type { Bug } from './bug.ts';

const catcher = 'cluster simulator';

/** Disputes: which of the nodes with different states stop. */
export const disputeBugs: readonly Bug[] = [
  {
    name: 'nodes that differ continue, including the minority',
    file: 'src/replica/agreement.ts',
    text: '    throw new DisagreementError(dispute.sequence, agree, agree.length > 0 ? mayDiffer : differ);',
    becomes: '    this.dispute = undefined;\n    return differ;',
    catcher,
  },
  {
    name: 'two nodes that differ both continue',
    file: 'src/replica/agreement.ts',
    text: 'if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {',
    becomes: 'if (mayAgree.length + 1 >= mayDiffer.length) {',
    catcher,
  },
  {
    name: 'nodes compare logs but not states',
    file: 'src/replica/agreement.ts',
    text: 'this.digests[at] === applied.digest && ',
    becomes: '',
    catcher,
  },
  {
    name: 'nodes compare states but not logs',
    file: 'src/replica/agreement.ts',
    text: 'this.digests[at] === applied.digest && equalHashes(this.hashes[at]!, applied.hash);',
    becomes: 'this.digests[at] === applied.digest;',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'one of three that holds another log' },
  },
  {
    name: 'a dispute is decided before others could report their state',
    file: 'src/replica/agreement.ts',
    text: 'if (dispute.looks < dispute.decideAt) return undefined;',
    becomes: 'if (!dispute.hasSpoken) return undefined;',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'one of three that holds another state',
    },
  },
  {
    name: 'a dispute is decided while the log stands still',
    file: 'src/replica/agreement.ts',
    text: ' || dispute.position === position) return undefined;',
    becomes: ') return undefined;',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'while the log stands still' },
  },
  {
    name: 'the state of a node before the dispute counts as its vote',
    file: 'src/replica/agreement.ts',
    text: '} else if (applied.sequence >= dispute.sequence) {',
    becomes: '} else {',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'what a node held before' },
  },
  {
    name: 'a process that has ended keeps its vote',
    file: 'src/replica/agreement.ts',
    text: 'vote.agrees === agrees && dispute.looks - vote.look <= looks',
    becomes: 'vote.agrees === agrees && looks > 0',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'a node that has ended since it differed',
    },
  },
  {
    name: 'a node that was silent for a second is taken for ended',
    file: 'src/replica/agreement.ts',
    text: 'voters(dispute, false, HEARD)]',
    becomes: 'voters(dispute, false, HEARD_JUST_NOW)]',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'a node that has ended since it differed',
    },
  },
  {
    name: 'an agreement with an earlier state is a vote about a later one',
    file: 'src/replica/agreement.ts',
    text: '  for (const each of agree) if (each !== node) votes.delete(each);\n',
    becomes: '',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'an agreement from before another node differs',
    },
  },
  {
    name: 'a node has less time to vote where another begins to differ',
    file: 'src/replica/agreement.ts',
    text: '  dispute.hasSpoken = false;\n  dispute.decideAt',
    becomes: '  dispute.hasSpoken = true;\n  dispute.decideAt',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'all nodes have five seconds' },
  },
  {
    name: 'the vote of an ended process lets a node continue next to one that differs',
    file: 'src/replica/agreement.ts',
    text: 'if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {',
    becomes: 'if (agree.length > 0 && agree.length >= mayDiffer.length) {',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'of two pairs that differ' },
  },
  {
    name: 'two pairs with one ended node each wait permanently',
    file: 'src/replica/agreement.ts',
    text: ' && mayWait) return undefined;',
    becomes: ' && (mayWait || agree.length > 0)) return undefined;',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'of two pairs that differ' },
  },
];
