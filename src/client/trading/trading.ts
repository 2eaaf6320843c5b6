import { OPERATIONS, type OperationName, Operations } from '../api/operations.ts';
import { newClientOrderId } from '../client-order-id.ts';
import { type ClientNumber, createCodec } from '../numbers.ts';
import type { OnRateLimit } from '../rate-limit.ts';
import { retryLimits, retryTransient } from '../retry.ts';
import type { CallOptions } from '../route.ts';
import { TradingSocket, type TradingSocketOptions } from './trading-socket.ts';

export interface TradingOptions<Exact extends boolean = boolean> extends TradingSocketOptions {
  /** Whether responses have prices and amounts as exact decimal strings instead of doubles. */
  readonly exactNumbers?: Exact;
  /** Maximum retries of operations that have the same effect when sent twice; default 3. */
  readonly retries?: number;
  /** Whether orders are retried after RATE_LIMIT_EXCEEDED and OVERLOADED, as for `Client`. */
  readonly waitToPlace?: boolean;
  /** Called with the state of the endpoint's rate limit in each response, as for `Client`. */
  readonly onRateLimit?: OnRateLimit | undefined;
}

/** Operations that the exchange executes once for each clientOrderId. */
const BY_CLIENT_ORDER_ID: readonly OperationName[] = ['order.place', 'order.oco'];

/**
 * Trades over one authenticated socket, with the same methods, parameters and records as `Client`. Operations are sent
 * at once, without waiting for the responses of earlier ones, and the exchange executes them in that order.
 *
 * If the connection ends before a response, reads and orders with a `clientOrderId` are sent again after the reconnect:
 * the exchange then answers with the order that it has. `placeOrder` generates a `clientOrderId` if it has none. All
 * other operations reject with OutcomeUnknownError.
 *
 * Every method throws ApiRequestError if the exchange rejects the operation, NotSentError if there was no connection,
 * OutcomeUnknownError if there was no response, StreamClosedError after the end of the socket or its credentials, and
 * RangeError if a string given as a number is not one.
 */
export class Trading<Exact extends boolean = false> extends Operations<ClientNumber<Exact>> {
  private readonly socket: TradingSocket;

  constructor(private readonly options: TradingOptions<Exact>) {
    super();
    this.socket = new TradingSocket(
      options,
      createCodec(options.exactNumbers === true),
      (operation, state) => {
        const { method, path } = OPERATIONS[operation];
        options.onRateLimit?.(`${method} ${path}`, state);
      },
    );
  }

  /** Whether an operation would be sent now. */
  get isConnected(): boolean {
    return this.socket.isReady;
  }

  /** Resolves once connected and authenticated. @throws ApiRequestError, StreamClosedError if that failed permanently */
  whenConnected(): Promise<void> {
    return this.socket.whenReady();
  }

  /** Closes the connection. Operations without a response reject. */
  close(): void {
    this.socket.close();
  }

  protected override async execute<Data>(
    name: OperationName,
    parameters: object,
    { signal, deadline }: CallOptions = {},
  ): Promise<Data> {
    const { method, path } = OPERATIONS[name];
    const params: Record<string, unknown> = { ...parameters };
    if (path.includes('{id}')) {
      params.orderId = params.id;
      delete params.id;
    }
    if (name === 'order.place') params.clientOrderId ??= newClientOrderId();
    const isIdempotent =
      method === 'GET' || (BY_CLIENT_ORDER_ID.includes(name) && Boolean(params.clientOrderId));
    const send = () => this.socket.request(name, params, signal, deadline) as Promise<Data>;
    return retryTransient(send, retryLimits(method, path, isIdempotent, this.options), signal);
  }
}
