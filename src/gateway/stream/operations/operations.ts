import type { Authorization } from '../../auth/authorization.ts';
import type { Caller } from '../../auth/caller.ts';
import { type Endpoint, hasBody } from '../../endpoints/endpoint.ts';
import { ENDPOINTS } from '../../endpoints/endpoints.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../../http/json.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, errorText } from '../../http/response/errors.ts';
import type { Services } from '../../services.ts';
import { toApiError } from '../error-message.ts';
import type { Socket } from '../sockets/socket.ts';
import { OperationCall } from './operation-call.ts';
import { sendSoon } from './outgoing.ts';

/** Maximum operations of one connection without a response. */
export const MAX_IN_FLIGHT = 1000;
/** Characters that need no escape, so that an id is echoed as it came. */
const ID = /^[A-Za-z0-9_.:-]{1,64}$/;
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
    private readonly authorization: Pick<
      Authorization,
      'authorizeOperation' | 'operationError' | 'countFurtherOrders' | 'intake'
    >,
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
    const head = `{"op":"${op}","id":${id},"success":`;
    if (inFlight.size >= MAX_IN_FLIGHT) {
      sendSoon(socket, `${head}false,"error":${errorText(TOO_MANY)}}`);
      return true;
    }
    inFlight.add(id);
    const succeed = (data: string) => {
      inFlight.delete(id);
      sendSoon(socket, `${head}true,"data":${data}}`);
    };
    const fail = (thrown: unknown) => {
      inFlight.delete(id);
      sendSoon(socket, `${head}false,"error":${errorText(toApiError(thrown))}}`);
    };
    try {
      const data = this.start(socket.data.caller, message, index);
      if (typeof data === 'string') succeed(data);
      else data.then(succeed, fail);
    } catch (error) {
      fail(error);
    }
    return true;
  }

  private start(
    caller: Caller | undefined,
    message: JsonObject,
    index: number,
  ): string | Promise<string> {
    const endpoint = ENDPOINTS[index]!;
    const { access, handle } = endpoint;
    if (caller === undefined) throw new ApiError('UNAUTHORIZED');
    const error = this.authorization.authorizeOperation(caller, index, access);
    if (error !== undefined) throw error;
    const rejecting = this.authorization.intake.check(endpoint);
    if (rejecting !== undefined) return rejecting;
    const call = this.createCall(caller, message, endpoint, index);
    // A private read sees everything that any node has acknowledged before it, including a revocation of its key.
    const current = hasBody(endpoint) ? undefined : this.services.replica.whenCurrent();
    if (current === undefined) return handle(call);
    return current.then(() => {
      const lateError = this.authorization.operationError(caller, access);
      if (lateError !== undefined) throw lateError;
      return handle(call);
    });
  }

  private createCall(
    caller: Caller,
    message: JsonObject,
    endpoint: Endpoint,
    index: number,
  ): OperationCall {
    let fields = readParams(message);
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
    if (endpoint.countsOrders) {
      call.countFurther = (orders) => this.authorization.countFurtherOrders(caller, index, orders);
    }
    return call;
  }
}

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

/** Returns the parameters of an operation. @throws ApiError INVALID_REQUEST */
function readParams(message: JsonObject): JsonObject {
  for (const name in message) {
    if (name !== 'op' && name !== 'id' && name !== 'params') {
      throw invalid(name, 'unknownField', `Unknown field "${name}". Put parameters into params.`);
    }
  }
  const { params = null } = message;
  if (params === null) return Object.create(null);
  const isObject = typeof params === 'object' && !Array.isArray(params);
  if (isObject && !(params instanceof JsonNumber)) return params as JsonObject;
  throw invalid('params', 'object', 'params must be an object.');
}
