import { type Command, CommandKind, type Trailing } from '../src/engine/command.ts';
import { depositStatuses, withdrawalStatuses } from '../src/engine/custody/statuses.ts';
import type { Event, Outcome } from '../src/engine/event.ts';
import type { Exchange } from '../src/engine/exchange.ts';
import { RejectionCode } from '../src/engine/rejection.ts';
import {
  entryTypes,
  marketStatuses,
  NONE,
  orderReasons,
  orderStatuses,
  orderTypes,
  Side,
  selfTradePreventions,
  timesInForce,
} from '../src/engine/terms.ts';
import type { Coverage } from './coverage.ts';

export const commandNames = invertNames(CommandKind);
export const rejectionNames = invertNames(RejectionCode);

/** Counts a command by its kind and options. */
export function countCommand(coverage: Coverage, command: Command): void {
  coverage.count('command', commandNames.get(command.kind)!);
  switch (command.kind) {
    case CommandKind.placeBracket:
      countCommand(coverage, command.order);
      return;
    case CommandKind.placeOnConnection:
    case CommandKind.executeBy:
      countCommand(coverage, command.command);
      return;
    case CommandKind.placeOrder:
    case CommandKind.placeStopOrder:
      coverage.count('order type', orderTypes[command.type]!);
      coverage.count('time in force', timesInForce[command.timeInForce]!);
      coverage.count('self-trade prevention', selfTradePreventions[command.selfTradePrevention]!);
      if (command.postOnly) coverage.count('order terms', 'post only');
      if (command.cost !== 0) {
        coverage.count('order terms', command.side === Side.buy ? 'buy by cost' : 'sell by cost');
      }
      if (command.clientOrderId !== null) coverage.count('order terms', 'client order id');
      if (command.displayAmount !== undefined) coverage.count('order terms', 'iceberg');
      if (command.kind === CommandKind.placeStopOrder) countTrailing(coverage, command.trailing);
      return;
    case CommandKind.cancelOrder:
      if (command.onlyIf !== undefined) coverage.count('order terms', 'canceled on a condition');
      return;
    case CommandKind.amendOrder:
      if (command.reduceOnly) coverage.count('order terms', 'amended to less');
      return;
    case CommandKind.setTradingStatus:
      coverage.count('trading status', marketStatuses[command.status]!);
      return;
    case CommandKind.setTradingLimits:
      coverage.count(
        'trading limits',
        command.owner === NONE ? 'of all accounts' : 'of an account',
      );
      return;
    case CommandKind.setMarketStatus:
      coverage.count('market status', marketStatuses[command.status]!);
  }
}

/** Counts the kind of distance of a trailing stop, and whether it waits for an activation price. */
function countTrailing(coverage: Coverage, trailing: Trailing | undefined): void {
  if (trailing === undefined) return;
  coverage.count('order terms', trailing.amount === 0 ? 'trailing percent' : 'trailing amount');
  if (trailing.activationPrice !== 0) coverage.count('order terms', 'activation price');
}

export function countOutcome(coverage: Coverage, outcome: Outcome): void {
  if (outcome.kind === 'rejected') coverage.count('rejection', rejectionNames.get(outcome.code)!);
  else coverage.count('outcome', outcome.kind);
}

/** Counts the work that a command left for the next portions. */
export function countPortions(coverage: Coverage, { state }: Exchange): void {
  const { sweeps, triggered, expiries, time, markets } = state;
  for (const { account } of sweeps.queue) {
    coverage.count('left for a portion', account === NONE ? 'delisting' : 'sweep of an account');
  }
  if (triggered.size > 0) coverage.count('left for a portion', 'triggered orders');
  if (expiries.nextTime <= time) coverage.count('left for a portion', 'orders past their date');
  const late = markets.some(({ triggers: { rising, falling } }) =>
    [rising, falling].some((side) => side.hasLate),
  );
  if (late) coverage.count('left for a portion', 'stops placed in the meantime');
  for (const { trailing } of markets) {
    for (const { moves } of [trailing.buys, trailing.sells]) {
      if (moves.length > 0) coverage.count('left for a portion', 'trailing stops');
    }
  }
}

export function countEvents(coverage: Coverage, events: readonly Event[]): void {
  for (const event of events) {
    coverage.count('event', event.kind);
    if (event.kind === 'entry') coverage.count('entry', entryTypes[event.type]!);
    if (event.kind === 'deposit') coverage.count('deposit', depositStatuses[event.status]!);
    if (event.kind === 'withdrawal') {
      coverage.count('withdrawal', withdrawalStatuses[event.status]!);
    }
    if (event.kind !== 'order') continue;
    coverage.count('order status', orderStatuses[event.status]!);
    const reason = orderReasons[event.reason];
    if (reason) coverage.count('order reason', reason);
  }
}

function invertNames(numbers: Readonly<Record<string, number>>): Map<number, string> {
  return new Map(Object.entries(numbers).map(([name, number]) => [number, name]));
}
