import type { Credential } from '../process/exchange-process.ts';

/** What a client wants of the exchange. */
export type Ask = { readonly account: string } & (
  | { readonly kind: 'place'; readonly clientOrderId: string }
  | { readonly kind: 'amend'; readonly orderId: string; readonly price: number }
  | { readonly kind: 'cancel'; readonly orderId: string }
  | { readonly kind: 'order'; readonly orderId: string }
  /** The newest of its orders, at most `limit`. */
  | { readonly kind: 'orders'; readonly limit: number }
  | { readonly kind: 'balances' }
  | { readonly kind: 'makeKey' }
  | { readonly kind: 'revokeKey'; readonly revoked: string }
  /** Nothing that is followed but whether the key is taken. */
  | { readonly kind: 'other' }
);

/** A request and what came of it. Times are milliseconds by the one clock of all clients, which only runs. */
export interface Asked {
  readonly ask: Ask;
  readonly client: string;
  readonly node: string;
  readonly apiKey: string;
  readonly beganAt: number;
  /** Infinity as long as there is no answer. */
  endedAt: number;
  /** Of HTTP; 0 without an answer. */
  status: number;
  /** The client waited no longer: nobody knows what would have come. */
  isGivenUp: boolean;
  /** Of the error; '' without one. */
  code: string;
  /** The JSON of `data`, to the digit; '' without one. */
  data: string;
  hasRetryAfter: boolean;
}

/** A message of a private stream as a client took it. */
export interface Told {
  readonly op: 'snapshot' | 'update';
  readonly sequence: number;
  readonly prevSequence: number | undefined;
  /** Whether it is the first that came over a connection. */
  readonly isFirst: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: three kinds of records
  readonly records: readonly any[];
}

/** All that one client was told of its account, over all connections. */
export interface Heard {
  readonly client: string;
  readonly account: string;
  readonly orders: Told[];
  readonly fills: Told[];
  readonly balances: Told[];
}

const DATA = '{"success":true,"data":';

/** Sends requests and keeps what was asked and answered, in the order in which it began. */
export class History {
  readonly requests: Asked[] = [];
  readonly heard: Heard[] = [];

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
      ...{ ask, client, node: node.name, apiKey: key.apiKey, beganAt: performance.now() },
      ...{ endedAt: Infinity, status: 0, code: '', data: '', hasRetryAfter: false },
      isGivenUp: false,
    };
    this.requests.push(asked);
    try {
      const answer = await fetch(node.baseUrl + path, {
        method,
        // A connection that is used again may have ended: then the request might be sent twice.
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
      // Refused, cut off or given up: no answer.
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
