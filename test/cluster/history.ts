import type { Credential } from '../process/exchange-process.ts';

/** An operation of a client. */
export type Ask = { readonly account: string } & (
  | { readonly kind: 'place'; readonly clientOrderId: string }
  | { readonly kind: 'amend'; readonly orderId: string; readonly price: number }
  | { readonly kind: 'cancel'; readonly orderId: string }
  | { readonly kind: 'order'; readonly orderId: string }
  /** Lists its newest orders, at most `limit`. */
  | { readonly kind: 'orders'; readonly limit: number }
  | { readonly kind: 'balances' }
  | { readonly kind: 'makeKey' }
  | { readonly kind: 'revokeKey'; readonly revoked: string }
  /** Only checks whether the key is accepted. */
  | { readonly kind: 'other' }
);

/** A request and its response. Times are milliseconds by the common monotonic clock of all clients. */
export interface Asked {
  readonly ask: Ask;
  readonly client: string;
  readonly node: string;
  readonly apiKey: string;
  readonly beganAt: number;
  /** Infinity while there is no response. */
  endedAt: number;
  /** HTTP status; 0 without a response. */
  status: number;
  /** Whether the client gave up waiting. */
  isGivenUp: boolean;
  /** Error code; '' without an error. */
  code: string;
  /** The exact JSON of `data`; '' without one. */
  data: string;
  hasRetryAfter: boolean;
}

/** A message of a private stream as a client received it. */
export interface Delivered {
  readonly op: 'snapshot' | 'update';
  readonly sequence: number;
  readonly prevSequence: number | undefined;
  /** Whether it is the first message of a connection. */
  readonly isFirst: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: three kinds of records
  readonly records: readonly any[];
}

/** All stream messages of one client, over all connections. */
export interface ReceivedMessages {
  readonly client: string;
  readonly account: string;
  readonly orders: Delivered[];
  readonly fills: Delivered[];
  readonly balances: Delivered[];
}

const DATA = '{"success":true,"data":';

/** Sends requests and records them with their responses, in the order of sending. */
export class History {
  readonly requests: Asked[] = [];
  readonly received: ReceivedMessages[] = [];

  /**
   * Sends a request; never throws.
   * @param timeoutMs After which the client gives up and has no answer.
   */
  async send(
    { client, node, key, timeoutMs }: Sender,
    ask: Ask,
    method: string,
    path: string,
    body?: object,
  ): Promise<Asked> {
    const asked: Asked = {
      ask,
      client,
      node: node.name,
      apiKey: key.apiKey,
      beganAt: performance.now(),
      endedAt: Infinity,
      status: 0,
      code: '',
      data: '',
      hasRetryAfter: false,
      isGivenUp: false,
    };
    this.requests.push(asked);
    try {
      const answer = await fetch(node.baseUrl + path, {
        method,
        // A reused connection may have ended, and the request might then be sent twice.
        keepalive: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          Authorization: `Bearer ${key.apiKey}`,
          'X-API-Secret': key.apiSecret,
          'Content-Type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      asked.endedAt = performance.now();
      asked.hasRetryAfter = answer.headers.has('retry-after');
      if (text.startsWith(DATA)) asked.data = text.slice(DATA.length, -1);
      else asked.code = JSON.parse(text).error.code;
      asked.status = answer.status;
    } catch (error) {
      // Refused, cut off or given up: no response.
      asked.endedAt = Infinity;
      asked.isGivenUp = (error as Error).name === 'TimeoutError';
    }
    return asked;
  }
}

export interface Sender {
  readonly client: string;
  readonly node: { readonly name: string; readonly baseUrl: string };
  readonly key: Pick<Credential, 'apiKey' | 'apiSecret'>;
  readonly timeoutMs: number;
}
