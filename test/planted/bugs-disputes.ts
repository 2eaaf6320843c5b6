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
    catcher: { file: 'src/replica/agreement.test.ts', test: 'one of three with another log' },
  },
  {
    name: 'a dispute is decided before others could report their state',
    file: 'src/replica/agreement.ts',
    text: 'if (dispute.ticks < dispute.decideAt) return undefined;',
    becomes: 'if (!dispute.hasReported) return undefined;',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'one of three with another state',
    },
  },
  {
    name: 'a dispute is decided while the log stands still',
    file: 'src/replica/agreement.ts',
    text: ' || dispute.position === position) return undefined;',
    becomes: ') return undefined;',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'ticks do not count while the log does not advance',
    },
  },
  {
    name: 'the state of a node before the dispute counts as its vote',
    file: 'src/replica/agreement.ts',
    text: '} else if (applied.sequence >= dispute.sequence) {',
    becomes: '} else {',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'reports about earlier batches are no votes, and a later report replaces an earlier one',
    },
  },
  {
    name: 'a process that has ended keeps its vote',
    file: 'src/replica/agreement.ts',
    text: 'vote.agrees === agrees && dispute.ticks - vote.tick <= ticks',
    becomes: 'vote.agrees === agrees && ticks > 0',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'a node that has stopped since it differed has no vote',
    },
  },
  {
    name: 'a node that was silent for a second is taken for ended',
    file: 'src/replica/agreement.ts',
    text: 'voters(dispute, false, STOPPED_AFTER_TICKS)',
    becomes: 'voters(dispute, false, CERTAINLY_RUNNING_TICKS)',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'a node that has stopped since it differed has no vote',
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
    text: '  dispute.hasReported = false;\n  dispute.decideAt',
    becomes: '  dispute.hasReported = true;\n  dispute.decideAt',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'all nodes have five seconds' },
  },
  {
    name: 'the vote of an ended process lets a node continue next to one that differs',
    file: 'src/replica/agreement.ts',
    text: 'if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {',
    becomes: 'if (agree.length > 0 && agree.length >= mayDiffer.length) {',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'if two pairs differ, no node continues once one node of each has stopped',
    },
  },
  {
    name: 'two pairs with one ended node each wait permanently',
    file: 'src/replica/agreement.ts',
    text: ' && mayWait) return undefined;',
    becomes: ' && (mayWait || agree.length > 0)) return undefined;',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'if two pairs differ, no node continues once one node of each has stopped',
    },
  },
];
