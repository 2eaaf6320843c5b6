import { toOperation, toResponse } from '../http/socket-transport.ts';
import type { Credential } from './exchange-process.ts';

/** A connection of a trader that sends requests as operations. */
export class OperationSocket {
  private readonly waiting = new Map<string, PromiseWithResolvers<string>>();
  private nextId = 1;

  private constructor(private readonly socket: WebSocket) {
    socket.onmessage = ({ data }) => {
      const text = data as string;
      const id = /^\{"op":"[\w.]+","id":"(\d+)"/.exec(text)?.[1];
      if (id === undefined) throw new Error(`unexpected message: ${text}`);
      this.waiting.get(id)!.resolve(text);
      this.waiting.delete(id);
    };
    socket.onclose = () => {
      for (const { reject } of this.waiting.values())
        reject(new Error('the connection was closed'));
    };
  }

  /** Opens a connection and authenticates it. @throws Error if the connection ends */
  static async open(
    baseUrl: string,
    { apiKey, apiSecret }: Credential,
    cancelOnDisconnect = false,
  ): Promise<OperationSocket> {
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws`);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () =>
        socket.send(JSON.stringify({ op: 'auth', apiKey, apiSecret, cancelOnDisconnect }));
      socket.onmessage = () => resolve();
      socket.onclose = () => reject(new Error('the connection was closed'));
    });
    return new OperationSocket(socket);
  }

  /** Sends a request that has an operation. @throws Error if the connection ends without a response */
  async send(
    method: string,
    path: string,
    body?: string,
    // biome-ignore lint/suspicious/noExplicitAny: what tests look into has every form there is
  ): Promise<{ status: number; json: any }> {
    if (this.socket.readyState !== WebSocket.OPEN) throw new Error('the connection was closed');
    const { op, params } = toOperation(method, path, body)!;
    const id = `${this.nextId++}`;
    const waiting = Promise.withResolvers<string>();
    this.waiting.set(id, waiting);
    this.socket.send(`{"op":"${op}","id":"${id}","params":${params}}`);
    const { status, text } = toResponse(await waiting.promise);
    return { status, json: JSON.parse(text) };
  }
}
