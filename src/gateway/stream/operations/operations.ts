import type { Caller } from '../../auth/caller.ts';
import { rateLimitError } from '../../auth/decision.ts';
import type { OperationAuthorization } from '../../auth/operation-authorization.ts';
import type { Access } from '../../auth/permissions.ts';
import { type Deadline, FIELDS, readDeadline } from '../../auth/signatures.ts';
import { type Endpoint, hasBody } from '../../endpoints/endpoint.ts';
import { ENDPOINTS } from '../../endpoints/endpoints.ts';
import { toApiFault } from '../../faults/fault-errors.ts';
import { operationOccasion, readKey } from '../../faults/occasions.ts';
import { operateWithFaults } from '../../faults/request-faults.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../../http/json.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, errorText, quoteSender } from '../../http/response/errors.ts';
import { readObject } from '../../orders/order-fields.ts';
import type { Services } from '../../services.ts';
import { retryAfterText, toApiError } from '../error-message.ts';
import { CloseCode } from '../sockets/close-codes.ts';
import { sendSoon } from '../sockets/outgoing.ts';
import type { Socket } from '../sockets/socket.ts';
import type { StreamMetrics } from '../stream-metrics.ts';
import { OperationCall } from './operation-call.ts';

/** Maximum operations of one connection without a response. */
export const MAX_IN_FLIGHT = 1000;
/** Characters that need no escape, so that an id is echoed as it came. */
export const ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const NUMBER_ID = /^(0|[1-9]\d{0,15})$/;
const NO_PARAMETERS: Readonly<Record<string, string>> = {};

/** Numbers in ENDPOINTS by the name of their operation. */
const OPERATIONS: ReadonlyMap<string, number> = new Map(
  ENDPOINTS.flatMap(({ operation }, index) =>
    operation === undefined ? [] : [[operation.name, index] as const],
  ),
);

/** Executes the operations that sockets send: the handlers of the REST endpoints, with the same limits and errors. */
export class Operations {
  constructor(
    private readonly services: Services,
    private readonly authorization: OperationAuthorization,
    private readonly metrics: StreamMetrics,
  ) {}

  /**
   * Starts the operation that a message names; its response is sent when it is known.
   * @returns false if the message names no operation
   * @throws ApiError if the message has no valid id, or its id is in use
   */
  execute(socket: Socket, message: JsonObject): boolean {
    const { op } = message;
    const index = typeof op === 'string' ? OPERATIONS.get(op) : undefined;
    if (index === undefined) return false;
    const { inFlight } = socket.data;
    const id = readId(message.id);
    if (inFlight.has(id)) {
      throw invalid('id', 'unique', `The operation ${id} is in progress. Send a new id.`);
    }
    const operation = new PendingOperation(socket, op as string, id, index, this.metrics);
    if (inFlight.size >= MAX_IN_FLIGHT) {
      operation.fail(TOO_MANY);
      if (!this.authorization.countExcess(socket.data.from.address)) {
        socket.close(CloseCode.policyViolation, 'too many operations in progress');
      }
      return true;
    }
    inFlight.add(id);
    try {
      const data = this.startWithFaults(operation, message, index, id);
      if (typeof data === 'string') operation.succeed(data);
      else {
        data.then(
          (text) => operation.succeed(text),
          (error) => operation.fail(error),
        );
      }
    } catch (error) {
      operation.fail(error);
    }
    return true;
  }

  /** Starts an operation with the faults of the sandbox, if this is one. */
  private startWithFaults(
    operation: PendingOperation,
    message: JsonObject,
    index: number,
    id: string,
  ): string | Promise<string> {
    const { faults } = this.services;
    if (faults === undefined || !faults.isActive) return this.start(operation, message, index, 0);
    const { socket } = operation;
    const { caller } = socket.data;
    const occasion = operationOccasion(ENDPOINTS[index]!, caller);
    const reader = caller && JSON.stringify([caller.account.id, occasion.apiKey ?? null]);
    return operateWithFaults(faults, {
      occasion,
      read: readKey(false, reader, occasion.name, JSON.stringify(message.params ?? null)),
      id,
      run: (skewMs) => this.start(operation, message, index, skewMs),
      toError: (hit) => toApiFault(hit, this.services.now()),
      disconnect: () => socket.terminate(),
    });
  }

  private start(
    operation: PendingOperation,
    message: JsonObject,
    index: number,
    skewMs: number,
  ): string | Promise<string> {
    const { authorization } = this;
    const endpoint = ENDPOINTS[index]!;
    const { access, handle } = endpoint;
    const { caller, from } = operation.socket.data;
    const error = this.authorize(operation, caller, access);
    if (caller === undefined || error !== undefined) return this.rejectPaced(operation, error);
    const rejecting = authorization.intake.check(endpoint);
    if (rejecting !== undefined) return rejecting;
    const call = this.createCall(operation, caller, message, endpoint, skewMs);
    // A private read sees everything that any node has acknowledged before it, including a revocation of its key.
    const current = hasBody(endpoint) ? undefined : this.services.replica.whenCurrent();
    if (current === undefined) return handle(call);
    return current.then(() => {
      const lateError = authorization.recheck(caller, access, from.address);
      if (lateError !== undefined) throw lateError;
      return handle(call);
    });
  }

  /** Counts an operation and returns why it is not authorized, or undefined if it is. */
  private authorize(
    operation: PendingOperation,
    caller: Caller | undefined,
    access: Access,
  ): ApiError | undefined {
    if (caller === undefined) return NOT_AUTHENTICATED;
    return (
      operation.count(this.authorization, caller, 1) ??
      this.authorization.authorize(caller, access, operation.socket.data.from.address)
    );
  }

  /** Rejects an operation that is not authorized, later if its address floods the exchange with such operations. */
  private rejectPaced(operation: PendingOperation, error: ApiError | undefined): Promise<never> {
    const { socket } = operation;
    const delay = this.authorization.paceRejection(socket.data.from.address);
    if (delay === undefined) throw error;
    const delayedAt = performance.now();
    return delay.then(() => {
      // Measured without the delay, like a request.
      operation.startedAt += performance.now() - delayedAt;
      throw error;
    });
  }

  private createCall(
    operation: PendingOperation,
    caller: Caller,
    message: JsonObject,
    endpoint: Endpoint,
    skewMs: number,
  ): OperationCall {
    let fields = readParams(message, endpoint.takesOrders === true);
    let parameters = NO_PARAMETERS;
    if (endpoint.path.includes(':id')) {
      const { orderId, ...rest } = fields;
      if (typeof orderId !== 'string') {
        throw invalid('orderId', 'text', 'orderId must be the id of an order, a text.');
      }
      parameters = { id: orderId };
      fields = rest;
    }
    const call = new OperationCall(this.services, parameters, fields, endpoint.operation!.query);
    call.caller = caller;
    call.connection = operation.socket.data.connectionId;
    if (endpoint.takesOrders) {
      call.deadline = readMessageDeadline(message, this.services.now(), skewMs);
    }
    if (endpoint.countsOrders) {
      call.countFurther = (orders) => {
        const error = operation.count(this.authorization, caller, orders);
        if (error !== undefined) throw error;
      };
    }
    return call;
  }
}

/** An operation without a response yet. */
class PendingOperation {
  /** The state of the rate-limit window that it was counted in, as the first field of the rest of the response. */
  private rateLimit = '';
  startedAt = performance.now();

  constructor(
    readonly socket: Socket,
    private readonly op: string,
    private readonly id: string,
    private readonly endpoint: number,
    private readonly metrics: StreamMetrics,
  ) {
    metrics.operationsInFlight++;
  }

  /** Counts requests in the operation's window. @returns RATE_LIMIT_EXCEEDED if they are too many */
  count(
    authorization: OperationAuthorization,
    caller: Caller,
    requests: number,
  ): ApiError | undefined {
    const state = authorization.count(caller, this.endpoint, requests);
    const { limit, remaining, resetSeconds } = state;
    this.rateLimit = `,"rateLimit":{"limit":${limit},"remaining":${remaining},"reset":${resetSeconds}}`;
    return state.allowed ? undefined : rateLimitError(state.retryAfterSeconds);
  }

  /** @param data The record, as JSON. */
  succeed(data: string): void {
    this.respond(200, `"success":true,"data":${data}`);
  }

  fail(thrown: unknown): void {
    const error = toApiError(thrown, this.op, this.id);
    const rest = `${retryAfterText(error)}"error":${errorText(error)}`;
    this.respond(error.status, `"success":false,${rest}`);
  }

  private respond(status: number, result: string): void {
    const { socket, op, id, rateLimit } = this;
    this.metrics.noteResponse(this.endpoint, status, this.startedAt);
    socket.data.inFlight.delete(id);
    sendSoon(socket, `{"op":"${op}","id":${id},${result}${rateLimit}}`);
  }
}

const NOT_AUTHENTICATED = new ApiError(
  'UNAUTHORIZED',
  'This connection is not authenticated. Send {"op":"auth","apiKey":…,"apiSecret":…} first.',
);
const TOO_MANY = new ApiError(
  'RATE_LIMIT_EXCEEDED',
  `This connection has ${MAX_IN_FLIGHT} operations in progress. Wait for responses.`,
  { rule: 'inFlight', retryAfter: 1 },
);

/** Returns the JSON text of an operation's id. @throws ApiError INVALID_REQUEST */
function readId(value: JsonValue | undefined): string {
  if (typeof value === 'string' && ID.test(value)) return `"${value}"`;
  if (value instanceof JsonNumber && NUMBER_ID.test(value.text)) return value.text;
  const message =
    'id must be a text of 1 to 64 characters of A-Z a-z 0-9 _ . : - or a whole number.';
  throw invalid('id', 'id', message);
}

const FIELD_NAMES: ReadonlySet<string> = new Set(['op', 'id', 'params']);
/** Fields of operations that place or amend orders. */
const DEADLINE_NAMES: ReadonlySet<string> = new Set([FIELDS.timestamp, FIELDS.recvWindow]);

/** Returns the deadline of an operation's orders. @throws ApiError INVALID_REQUEST */
function readMessageDeadline(
  message: JsonObject,
  now: number,
  skewMs: number,
): Deadline | undefined {
  const read = (name: string) => {
    const value = message[name] ?? null;
    return value instanceof JsonNumber ? value.text : value === null ? null : String(value);
  };
  const sent = { timestamp: read(FIELDS.timestamp), recvWindow: read(FIELDS.recvWindow) };
  return readDeadline(sent, FIELDS, now, skewMs);
}

/** Returns the parameters of an operation. @throws ApiError INVALID_REQUEST */
function readParams(message: JsonObject, takesDeadline: boolean): JsonObject {
  for (const name in message) {
    const isKnown = FIELD_NAMES.has(name) || (takesDeadline && DEADLINE_NAMES.has(name));
    if (!isKnown) {
      throw invalid(
        name,
        'unknownField',
        `Unknown field ${quoteSender(name)}. Put parameters into params.`,
      );
    }
  }
  const { params = null } = message;
  if (params === null) return Object.create(null);
  return readObject(params, 'params', 'params must be an object.');
}
