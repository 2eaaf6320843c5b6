import {
  type CancelOrder,
  type CancelOrders,
  CommandKind,
  type ExecuteBy,
  type PlaceBracket,
  type PlacingCommand,
} from '../../engine/command.ts';
import type { Outcome } from '../../engine/event.ts';
import { fingerprintPlacement } from '../../engine/orders/order-terms.ts';
import { findPlaced } from '../../engine/orders/placement.ts';
import type { Preview } from '../../engine/orders/preview/preview.ts';
import { type Rejection, RejectionCode, rejected } from '../../engine/rejection.ts';
import type { Batch } from '../../log/log.ts';
import type { NodeClock } from '../../monitoring/clock.ts';
import type { Searched } from '../../replica/order-search.ts';
import { type Deadline, staleTimestamp } from '../auth/signatures.ts';
import type { JsonObject } from '../http/json.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';
import { knownError } from '../http/response/known-errors.ts';
import { type OrderReader, type Placing, readPlacing } from './order-request.ts';

/** Maximum attempts. Each one fails only if the engine dropped a client order id after history was searched. */
const MAX_ATTEMPTS = 3;

/** A request that is ready for the log, or that history answers. */
export interface Prepared<Command extends PlacingCommand> extends Placing<Command> {
  readonly searched: Searched | undefined;
}

/**
 * Reads a request to place orders. Returns a promise only if history must be searched for its client order id, or if
 * another node may have placed an order that this node would reject.
 * @throws ApiError for faults that are known without the engine, unless the order may have been placed before
 */
export function prepare<Command extends PlacingCommand>(
  call: Call,
  body: JsonObject,
  read: (body: JsonObject, placer: OrderReader, exchange: Call['exchange']) => Command,
): Prepared<Command> | Promise<Prepared<Command>> {
  const { account, exchange } = call;
  const placer = { account, key: call.keyIndex };
  const placing = account.isFrozen
    ? readFrozen(() => readPlacing(read, body, placer, exchange))
    : withClock(readPlacing(read, body, placer, exchange), call.services.clock);
  const { clientOrderId } = orderIn(placing.command);
  // Another node may just have accepted the first request with this id.
  const current =
    placing.rejection === undefined || clientOrderId === null
      ? undefined
      : call.services.replica.whenCurrent();
  const search = () => searchHistory(call, placing, clientOrderId);
  return current === undefined ? search() : current.then(search);
}

function searchHistory<Command extends PlacingCommand>(
  { account, services }: Call,
  placing: Placing<Command>,
  clientOrderId: string | null,
): Prepared<Command> | Promise<Prepared<Command>> {
  const { orderSearch } = services;
  const { command, rejection } = placing;
  const toPrepared = (searched: Searched | undefined) => ({ command, rejection, searched });
  if (!orderSearch.isNeeded(account, clientOrderId)) return toPrepared(undefined);
  const searched = orderSearch.search(account, clientOrderId);
  return searched instanceof Promise ? searched.then(toPrepared) : toPrepared(searched);
}

/** Rejects orders that expire while the node's clock is off; a repeated request still gets its order. */
function withClock<Command extends PlacingCommand>(
  placing: Placing<Command>,
  clock: NodeClock,
): Placing<Command> {
  const { expiresAt } = orderIn(placing.command);
  if (expiresAt === 0 || !clock.isOff) return placing;
  return { ...placing, rejection: placing.rejection ?? new ApiError('CLOCK_OFF') };
}

/** Rejects orders of a frozen account; a repeated request still gets its order. */
function readFrozen<Command>(read: () => Placing<Command>): Placing<Command> {
  const rejection = new ApiError('ACCOUNT_FROZEN');
  try {
    return { ...read(), rejection };
  } catch (error) {
    throw error instanceof ApiError ? rejection : error;
  }
}

/** Called with the outcome, and with the place of the command in the log unless history had the outcome. */
export type PlacedReply = (outcome: Outcome, batch?: Batch, index?: number) => void;

/**
 * Submits a request to the log before it returns.
 * @throws ApiError
 */
export function submit(
  call: Call,
  { command, rejection, searched }: Prepared<PlacingCommand>,
  reply: PlacedReply,
  fail: (error: unknown) => void,
  attempt = 1,
): void {
  const { account, services } = call;
  const { clientOrderId } = orderIn(command);
  if (searched?.placed !== undefined) {
    reply(toOutcome(searched.placed, command));
    return;
  }
  if (rejection !== undefined && !isKnown(call, clientOrderId)) throw rejection;
  const again: PlacedReply = (outcome, batch, index) => {
    const late = deadlineError(call, outcome);
    if (late !== undefined) {
      fail(late);
      return;
    }
    const needsHistory = outcome.kind === 'rejected' && outcome.code === RejectionCode.needsHistory;
    if (!needsHistory || attempt === MAX_ATTEMPTS) {
      reply(outcome, batch, index);
      return;
    }
    Promise.resolve(services.orderSearch.search(account, clientOrderId!))
      .then((found) => {
        submit(call, { command, rejection, searched: found }, reply, fail, attempt + 1);
      })
      .catch((error) => fail(knownError(error) ?? error));
  };
  const logged = withSearch(command, searched?.searchedBelow);
  const { connection } = call;
  services.replica.submit(
    withDeadline(
      call,
      connection === undefined
        ? logged
        : { kind: CommandKind.placeOnConnection, connection, command: logged },
    ),
    again,
    fail,
  );
}

/** Returns a command that is executed only until the deadline of its request. @throws ApiError INVALID_REQUEST */
export function withDeadline(
  { deadline, exchange }: Call,
  command: ExecuteBy['command'],
): ExecuteBy | ExecuteBy['command'] {
  // Only keys of version 2 sign requests, so that the client can leave the deadline out.
  if (deadline === undefined) return command;
  if (exchange.state.version < 2) throw deadlineNotUpgraded(deadline);
  return { kind: CommandKind.executeBy, deadline: deadline.at, command };
}

/** Returns a cancellation with the deadline of its request, if that limits cancellations. @throws ApiError INVALID_REQUEST */
export function withCancelDeadline(
  call: Call,
  command: CancelOrder | CancelOrders,
): ExecuteBy | ExecuteBy['command'] {
  return call.limitsCancels ? withDeadline(call, command) : command;
}

function deadlineNotUpgraded({ names }: Deadline): ApiError {
  const message =
    `This exchange does not accept deadlines yet: its operator must upgrade the engine first. ` +
    `Omit ${names.timestamp} and ${names.recvWindow}.`;
  return invalid(names.timestamp, 'engineVersion', message);
}

/** Returns the error for an outcome that only a deadline has, undefined for others. */
export function deadlineError(
  { deadline, exchange }: Call,
  outcome: Outcome,
): ApiError | undefined {
  const isLate = outcome.kind === 'rejected' && outcome.code === RejectionCode.signatureExpired;
  return isLate ? staleTimestamp(exchange.state.time, deadline?.names) : undefined;
}

/**
 * Returns what `submit` would do now, and does nothing.
 * @throws ApiError
 */
export function previewPrepared(
  call: Call,
  { command, rejection, searched }: Prepared<PlacingCommand>,
): Preview {
  const { exchange, services } = call;
  if (searched?.placed !== undefined) return toOutcome(searched.placed, command);
  const isNew = !isKnown(call, orderIn(command).clientOrderId);
  if (rejection !== undefined && isNew) throw rejection;
  return exchange.preview(withSearch(command, searched?.searchedBelow), services.now());
}

function isKnown(call: Call, clientOrderId: string | null): boolean {
  const { state } = call.exchange;
  // Version 1 of the engine rejects every request of a frozen account.
  if (call.account.isFrozen && state.version < 2) return false;
  return clientOrderId !== null && findPlaced(state, call.account, clientOrderId) !== undefined;
}

/** An order without a fingerprint, from before history stored them, counts as a different one. */
function toOutcome(
  placed: NonNullable<Searched['placed']>,
  command: PlacingCommand,
): Rejection | { readonly kind: 'repeated'; readonly orderId: number } {
  return placed.fingerprint === fingerprintPlacement(command)
    ? { kind: 'repeated', orderId: placed.orderId }
    : rejected(RejectionCode.duplicateClientOrderId);
}

function orderIn(command: PlacingCommand): Exclude<PlacingCommand, PlaceBracket> {
  return command.kind === CommandKind.placeBracket ? command.order : command;
}

function withSearch(command: PlacingCommand, searchedBelow: number | undefined): PlacingCommand {
  if (searchedBelow === undefined) return command;
  return command.kind === CommandKind.placeBracket
    ? { ...command, order: { ...command.order, searchedBelow } }
    : { ...command, searchedBelow };
}
