import { CommandKind } from '../src/engine/command.ts';
import {
  marketStatuses,
  orderReasons,
  orderStatuses,
  orderTypes,
  selfTradePreventions,
  timesInForce,
} from '../src/engine/terms.ts';
import { clusterFaultKinds } from './cluster/cluster-faults.ts';
import type { Coverage } from './coverage.ts';
import { commandNames, rejectionNames } from './coverage-counts.ts';
import { faultKinds } from './faults.ts';

/** Commands that no client sends: the operator's record of a skipped command needs one that fails. */
const NOT_SENT: readonly number[] = [CommandKind.skip];
/** Rejections that no run reaches: two have limits far above, and no rule returns the third any more. */
const UNREACHABLE = ['tooManyOpenOrders', 'limitReached', 'costOutOfBounds'];

type Expected = readonly (readonly [string, readonly string[]])[];

/** Expectations of every long run about the exchange itself, by group. */
const ofTheExchange: Expected = [
  [
    'command',
    [...commandNames].filter(([kind]) => !NOT_SENT.includes(kind)).map(([, name]) => name),
  ],
  ['order type', orderTypes],
  ['time in force', timesInForce],
  ['self-trade prevention', selfTradePreventions],
  ['order terms', ['post only', 'buy by cost', 'sell by cost', 'client order id', 'iceberg']],
  ['order terms', ['canceled on a condition', 'amended to less']],
  ['order terms', ['trailing amount', 'trailing percent', 'activation price']],
  ['order status', orderStatuses],
  ['order reason', orderReasons.filter((reason) => reason !== null)],
  ['market status', marketStatuses.slice(0, -1)],
  ['rejection', [...rejectionNames.values()].filter((name) => !UNREACHABLE.includes(name))],
  // Trades carry the other entries.
  ['entry', ['hold', 'release', 'transfer', 'trade_bust']],
  ['event', ['order', 'trade', 'entry']],
];

/** Expectations about a single node, its disk and its clock. */
const ofSingleNode: Expected = [
  ...ofTheExchange,
  ['batch', ['one command', 'several commands', 'more pending than it holds']],
  ['clock', ['warned', 'confirmed', 'corrected']],
  [
    'crash',
    ['kill', 'powerLoss'].flatMap((kind) => [`${kind} while serving`, `${kind} while starting`]),
  ],
  ['fault', faultKinds.filter((kind) => kind !== 'kill' && kind !== 'powerLoss')],
  [
    'recovery',
    [
      'whole log',
      'snapshot and tail',
      'damaged snapshot skipped',
      'orderly stop',
      'batch in flight kept',
      'commands in flight lost',
      'connections ended',
      'exit after a disk error',
    ],
  ],
  ['refusal', ['of the start', 'by a reader of the damaged bytes']],
];

/** Expectations about a cluster and the servers of its log. */
const ofCluster: Expected = [
  ['fault', clusterFaultKinds],
  ['message', ['join', 'batch', 'late', 'repeated', 'fenced', 'rejected join', 'repeated setup']],
  ['answer', ['given', 'CommandNotAppliedError', 'OutcomeUnknownError', 'none', 'key revoked']],
  ['key', ['used after its revocation was answered']],
  ['read', ['current', 'refused']],
  ['servers', ['leader lost', 'stored by the next leader']],
  ['node', ['starts', 'stops in order']],
  ['joining', ['whole log', 'snapshot and tail', 'older snapshot', 'purged before it joined']],
  ['end', ['FencedError', 'ClusteredLogError', 'DisagreementError', 'ReplicasDifferError']],
  ['dispute', ['won']],
  ['check', ['all nodes equal']],
];

/** Commands after which everything expected should have happened: the rarest happens 14 times on average. */
const COMPLETE = [
  { name: 'single node', commands: 200_000, expected: ofSingleNode },
  { name: 'cluster', commands: 40_000, expected: ofCluster },
];

/** Returns the names of expected things that never happened in a run long enough for them. */
export function missing(coverage: Coverage): string[] {
  return COMPLETE.flatMap(({ name, commands, expected }) =>
    coverage.get('commands', name) < commands ? [] : absent(coverage, expected),
  );
}

function absent(coverage: Coverage, expected: Expected): string[] {
  return expected.flatMap(([group, names]) =>
    names.filter((name) => coverage.get(group, name) === 0).map((name) => `${group} ${name}`),
  );
}
