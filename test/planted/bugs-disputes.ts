import type { Bug } from './bug.ts';

const catcher = 'simulator of many nodes';

/** Which of the nodes that hold different states end. */
export const disputeBugs: readonly Bug[] = [
  {
    name: 'nodes that differ go on, the smaller side too',
    file: 'src/replica/agreement.ts',
    text: '    throw new DisagreementError(dispute.sequence, agree, agree.length > 0 ? mayDiffer : differ);',
    becomes: '    this.dispute = undefined;\n    return differ;',
    catcher,
  },
  {
    name: 'of two nodes that differ both go on',
    file: 'src/replica/agreement.ts',
    text: 'if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {',
    becomes: 'if (mayAgree.length + 1 >= mayDiffer.length) {',
    catcher,
  },
  {
    name: 'nodes look at logs and not at states when they compare',
    file: 'src/replica/agreement.ts',
    text: 'this.digests[at] === applied.digest && ',
    becomes: '',
    catcher,
  },
  {
    name: 'nodes look at states and not at logs when they compare',
    file: 'src/replica/agreement.ts',
    text: 'this.digests[at] === applied.digest && equalHashes(this.hashes[at]!, applied.hash);',
    becomes: 'this.digests[at] === applied.digest;',
    catcher: { file: 'src/replica/agreement.test.ts', test: 'one of three with another log' },
  },
  {
    name: 'a dispute is decided before others could say what they hold',
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
    name: 'what a node held before the dispute is its word in it',
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
    text: 'voters(dispute, false, HEARD)]',
    becomes: 'voters(dispute, false, HEARD_RECENTLY)]',
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
    name: 'the vote of a process that has ended lets a node go on beside one that differs',
    file: 'src/replica/agreement.ts',
    text: 'if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {',
    becomes: 'if (agree.length > 0 && agree.length >= mayDiffer.length) {',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'if two pairs differ, no node continues once one node of each has stopped',
    },
  },
  {
    name: 'two pairs of which one node each has ended wait for ever',
    file: 'src/replica/agreement.ts',
    text: ' && mayWait) return undefined;',
    becomes: ' && (mayWait || agree.length > 0)) return undefined;',
    catcher: {
      file: 'src/replica/agreement.test.ts',
      test: 'if two pairs differ, no node continues once one node of each has stopped',
    },
  },
];
