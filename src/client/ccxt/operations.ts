import {
  AuthenticationError,
  BadResponse,
  type Dict,
  ExchangeClosedByUser,
  OperationFailed,
  RequestTimeout,
} from 'ccxt';
import { OPERATIONS, type OperationName } from '../api/operations.ts';
import type { Client } from './connection.ts';
import { readDeadline, receiveWindow } from './deadlines.ts';
import { requestBody } from './exact-json.ts';
import { StreamsForSymbols } from './streams-for-symbols.ts';

/** Maximum repetitions of an operation whose outcome is unknown. */
const MAX_REPETITIONS = 3;
const futureKey = (id: string) => `operation ${id}`;

/** Operations over the connection of the streams. */
export abstract class Operations extends StreamsForSymbols {
  private lastOperation = 0;

  /**
   * Sends an operation that has the same effect when sent twice, and sends it again if its outcome is unknown.
   * @returns `data` of the response
   */
  protected async operateIdempotently(name: OperationName, params: Dict): Promise<Dict> {
    let unknown: unknown;
    for (let repetitions = 0; ; repetitions++) {
      try {
        return await this.operate(name, params);
      } catch (error) {
        if (unknown !== undefined && !isDecision(error)) throw unknown;
        if (!(error instanceof RequestTimeout) || repetitions === MAX_REPETITIONS) throw error;
        unknown = error;
      }
    }
  }

  /**
   * Sends an operation once.
   * @returns `data` of the response
   * @throws RequestTimeout if it was sent and there was no response, NetworkError if it was not sent, such as
   *   InvalidNonce if the `deadline` in `params` has passed
   */
  protected operate(name: OperationName, params: Dict = {}): Promise<Dict> {
    const { method, path } = OPERATIONS[name];
    return this.paced(method, path, async () => {
      const client = await this.authenticatedClient();
      const answer = await this.answerTo(client, name, params);
      const { limit, remaining, reset } = answer.rateLimit ?? {};
      this.noteWindow(method, path, {
        limit: Number(limit),
        remaining: Number(remaining),
        reset: Number(reset),
      });
      if (answer.success === true) return answer.data;
      const { error, retryAfter } = answer;
      throw error === undefined
        ? new BadResponse(this.json(answer))
        : this.toError(error, retryAfter);
    });
  }

  override handleMessage(client: Client, message: Dict): void {
    const { id, success } = message;
    if (id !== undefined && success !== undefined) client.resolve(message, futureKey(id));
    else super.handleMessage(client, message);
  }

  private async answerTo(client: Client, name: OperationName, input: Dict): Promise<Dict> {
    const { deadline, ...params } = input;
    const window = receiveWindow(this, readDeadline(this, deadline));
    const id = `${++this.lastOperation}`;
    const key = futureKey(id);
    const answer = client.future(key) as Promise<Dict>;
    const fields = requestBody({ params, ...window }).slice(1);
    const message = `{"op":"${name}","id":"${id}",${fields}`;
    client.send(message).catch((error) => client.onError(error));
    const timer = setTimeout(() => {
      client.reject(new RequestTimeout(`no response within ${this.timeout} ms`), key);
    }, this.timeout);
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ExchangeClosedByUser) throw error;
      const { message: reason } = error as Error;
      throw new RequestTimeout(`${this.id} ${name}: the outcome is unknown, because ${reason}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Whether the exchange has decided about the operation itself, so that no earlier attempt took effect. */
function isDecision(error: unknown): boolean {
  return !(error instanceof OperationFailed || error instanceof AuthenticationError);
}
