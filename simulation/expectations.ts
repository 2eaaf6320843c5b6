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

/** Commands that no client sends: the operator's record of a passed-over command needs one that fails. */
const NOT_SENT: readonly number[] = [CommandKind.skip];
/** The limits of two lie far above what a life comes to; the third no rule gives any more. */
const OUT_OF_REACH = ['tooManyOpenOrders', 'limitReached', 'costOutOfBounds'];

type Expected = readonly (readonly [string, readonly string[]])[];

/** What every run of some length must have seen of the exchange itself, by group. */
const ofTheExchange: Expected = [
  [
    'command',
    [...commandNames].filter(([kind]) => !NOT_SENT.includes(kind)).map(([, name]) => name),
  ],
  ['order type', orderTypes],
  ['time in force', timesInForce],
  ['self-trade prevention', selfTradePreventions],
  ['order terms', ['post only', 'by cost', 'client order id']],
  ['order status', orderStatuses],
  ['order reason', orderReasons.filter((reason) => reason !== null)],
  ['market status', marketStatuses.slice(0, -1)],
  ['rejection', [...rejectionNames.values()].filter((name) => !OUT_OF_REACH.includes(name))],
  // The rest of them stands within the trades.
  ['entry', ['hold', 'release', 'transfer']],
  ['event', ['order', 'trade', 'entry']],
];

/** And of one node, its disk and its clock. */
const ofOneNode: Expected = [
  ...ofTheExchange,
  ['batch', ['one command', 'several commands', 'more waits than it holds']],
  ['clock', ['warned', 'confirmed', 'set right']],
  [
    'crash',
    ['kill', 'powerLoss'].flatMap((kind) => [`${kind} while serving`, `${kind} while starting`]),
  ],
  ['fault', faultKinds.filter((kind) => kind !== 'kill' && kind !== 'powerLoss')],
  [
    'recovery',
    [
      ...['whole log', 'snapshot and tail', 'damaged snapshot passed over', 'orderly stop'],
      ...['batch under way kept', 'commands under way lost', 'exit after a disk error'],
    ],
  ],
  ['refusal', ['of the start', 'by whoever reads the damaged place']],
];

/** And of many nodes, and the servers of their log. */
const ofManyNodes: Expected = [
  ['fault', clusterFaultKinds],
  ['message', ['join', 'batch', 'late', 'repeated', 'fenced', 'join in vain', 'beginning in vain']],
  ['answer', ['given', 'CommandNotAppliedError', 'OutcomeUnknownError', 'none', 'key revoked']],
  ['key', ['used after its revocation was answered']],
  ['read', ['current', 'refused']],
  ['servers', ['leader lost', 'stored by the next leader']],
  ['node', ['starts', 'stops in order']],
  ['joining', ['whole log', 'snapshot and tail', 'older snapshot', 'purged meanwhile']],
  ['end', ['FencedError', 'ClusteredLogError', 'DisagreementError', 'ReplicasDifferError']],
  ['dispute', ['won']],
  ['check', ['all nodes equal']],
];

/** From so many commands on, everything that is expected should have happened: the rarest does 14 times. */
const COMPLETE = [
  { name: 'of one node', commands: 200_000, expected: ofOneNode },
  { name: 'of many nodes', commands: 40_000, expected: ofManyNodes },
];

/** What has never happened although it should, in a run that was long enough. */
export function missing(coverage: Coverage): string[] {
  return COMPLETE.flatMap(({ name, commands, expected }) =>
    coverage.of('commands', name) < commands ? [] : absent(coverage, expected),
  );
}

function absent(coverage: Coverage, expected: Expected): string[] {
  return expected.flatMap(([group, names]) =>
    names.filter((name) => coverage.of(group, name) === 0).map((name) => `${group} ${name}`),
  );
}
