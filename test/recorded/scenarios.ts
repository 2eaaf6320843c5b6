import fc from 'fast-check';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { NONE, Side, TimeInForce } from '../../src/engine/terms.ts';
import { listCommands, scenario, type Timed } from '../reference/scenario.ts';
import { approvals } from './approvals.ts';
import {
  CommandList,
  limitOrder,
  type OrderTerms,
  OTHER,
  stopOrder,
  THIRD,
  TRADER,
} from './command-list.ts';
import { feePrograms } from './fees.ts';
import { restrictions } from './protection.ts';
import { forgottenClientOrderIds, specialOrders } from './special-orders.ts';
import { subAccounts } from './sub-accounts.ts';

/** The commands of a recording. */
interface ScenarioToRecord {
  readonly commands: readonly Timed[];
  readonly maxCommandsPerBatch: number;
}

/** Returns the scenarios of all recordings: every kind of command, random, in bulk, and with the rarest terms. */
export function scenariosToRecord(): ScenarioToRecord[] {
  const random = fc
    .sample(scenario(1200), { seed: 20_261_122, numRuns: 60 })
    .map(listCommands)
    .sort((a, b) => b.length - a.length)
    .slice(0, 12);
  return [
    ...[
      bulk(),
      ...random,
      specialOrders(),
      approvals(),
      restrictions(),
      subAccounts(),
      feePrograms(),
    ].map((commands) => ({ commands, maxCommandsPerBatch: 7 })),
    // Thousands of small batches would be mostly hashes, which cannot be compressed.
    { commands: forgottenClientOrderIds(), maxCommandsPerBatch: 500 },
  ];
}

/** Returns commands of which each cancels, triggers or expires hundreds of orders. */
function bulk(): readonly Timed[] {
  const list = new CommandList();
  let placed = 0;
  const place = (terms: OrderTerms, makeOrder: typeof limitOrder | typeof stopOrder = limitOrder) =>
    list.add(makeOrder({ clientOrderId: `bulk-${placed++}`, ...terms }));
  list.begin();
  for (let index = 0; index < 700; index++) place({ price: 9000 - (index % 90) });
  const everything = { market: NONE, orderIds: null, clientOrderId: null };
  list.add({
    kind: CommandKind.cancelOrders,
    ...TRADER,
    ...everything,
    orderIds: Array.from({ length: 150 }, (_, index) => 1 + index * 2),
  });
  list.add({ kind: CommandKind.cancelOrders, ...TRADER, ...everything, market: 0 });
  list.time += 10;
  for (let index = 0; index < 400; index++) {
    place({ timeInForce: TimeInForce.gtd, expiresAt: list.time + 500 + (index % 5) * 40 });
  }
  list.tick(3000);
  list.add({ kind: CommandKind.cancelAfter, ...TRADER, market: NONE, timeoutMs: 1000 });
  for (let index = 0; index < 500; index++) place({ market: index % 2 });
  list.tick(2000);
  // A cascade: the first trade triggers a few hundred sells, which trade down through the bids.
  for (let index = 0; index < 350; index++) {
    place({ side: Side.sell, triggerPrice: 9990 - (index % 7), amount: 3 }, stopOrder);
  }
  for (let index = 0; index < 300; index++) place({ ...OTHER, price: 9990 - index });
  place({ ...THIRD, side: Side.sell, price: 9980, amount: 25 });
  for (let index = 0; index < 6; index++) list.tick(250);
  for (let index = 0; index < 300; index++) place({ ...OTHER, market: 1, price: 9000 - index });
  list.add({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 1 });
  list.add({ kind: CommandKind.cancelOrdersOf, ...SYSTEM_ACTOR, owner: 2, ...everything });
  // Client order ids are forgotten after 25 hours, those of open orders later.
  for (let index = 0; index < 20; index++) place({});
  list.tick(26 * 3_600_000);
  placed -= 20;
  for (let index = 0; index < 20; index++) place({ price: 8000 });
  return list.timed;
}
