import { CommandKind } from '../src/engine/command.ts';
import {
  marketStatuses,
  orderReasons,
  orderStatuses,
  orderTypes,
  selfTradePreventions,
  timesInForce,
} from '../src/engine/terms.ts';
import type { Coverage } from './coverage.ts';
import { commandNames, rejectionNames } from './coverage-counts.ts';
import { faultKinds } from './faults.ts';

/** Commands that no client sends: the operator's record of a passed-over command needs one that fails. */
const NOT_SENT: readonly number[] = [CommandKind.skip];
/** The limits of two lie far above what a life comes to; the third no rule gives any more. */
const OUT_OF_REACH = ['tooManyOpenOrders', 'limitReached', 'costOutOfBounds'];

/** What every run of some length must have seen, by group. */
const expected: readonly (readonly [string, readonly string[]])[] = [
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
  ['batch', ['one command', 'several commands']],
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

/** What has never happened although it should. */
export function missing(coverage: Coverage): string[] {
  return expected.flatMap(([group, names]) =>
    names.filter((name) => coverage.of(group, name) === 0).map((name) => `${group} ${name}`),
  );
}
