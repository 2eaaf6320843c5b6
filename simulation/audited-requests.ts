import { DAY_MS } from '../src/config/durations.ts';
import { type Command, CommandKind } from '../src/engine/command.ts';
import { findExecuted, findResult, type Outcome } from '../src/engine/event.ts';
import { check } from './failure.ts';

/** Checks that a request sent twice takes effect once (invariant 9). */
export class AuditedRequests {
  /** The order and the time it was placed, by account and client order id. */
  private readonly placed = new Map<string, { readonly orderId: number; readonly time: number }>();
  private readonly transfers = new Map<string, number>();

  /** @param isOpen Whether an order was open before the command, which has not ended it. */
  note(command: Command, outcome: Outcome, time: number, isOpen: (id: number) => boolean): void {
    if (outcome.kind === 'approval') {
      const executed = findExecuted(command, outcome);
      if (executed !== command) this.note(executed, findResult(outcome), time, isOpen);
      return;
    }
    const { kind } = command;
    if (kind === CommandKind.placeOnConnection || kind === CommandKind.executeBy) {
      this.note(command.command, outcome, time, isOpen);
      return;
    }
    if (command.kind === CommandKind.transfer) this.noteTransfer(command.reference, outcome);
    const order = command.kind === CommandKind.placeBracket ? command.order : command;
    if (!('clientOrderId' in order) || order.clientOrderId === null) return;
    if (order.kind === CommandKind.cancelOrders || order.kind === CommandKind.cancelOrdersOf)
      return;
    const name = `${order.account} ${order.clientOrderId}`;
    const before = this.placed.get(name);
    const isKnown = before !== undefined && (isOpen(before.orderId) || time - before.time < DAY_MS);
    if (outcome.kind === 'repeated') {
      const isIt = before?.orderId === outcome.orderId;
      check(
        isIt,
        `client order id ${name} is reported as order ${outcome.orderId}, not ${before?.orderId}`,
      );
    }
    if (outcome.kind !== 'order' && outcome.kind !== 'oco') return;
    check(!isKnown, `client order id ${name} has placed order ${before?.orderId} and one more`);
    const orderId = outcome.kind === 'order' ? outcome.order.id : outcome.orders[0].id;
    this.placed.set(name, { orderId, time });
  }

  private noteTransfer(reference: string, outcome: Outcome): void {
    if (outcome.kind !== 'transfer') return;
    const { transfer, created } = outcome;
    const before = this.transfers.get(reference);
    check(
      created === (before === undefined),
      `transfer ${reference} was ${created ? 'made twice' : 'never made'}`,
    );
    check(
      created || transfer.id === before,
      `transfer ${reference} is reported as ${transfer.id}, not ${before}`,
    );
    this.transfers.set(reference, transfer.id);
  }
}
