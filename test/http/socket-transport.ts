import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { ERRORS, type ErrorCode } from '../../src/gateway/http/response/errors.ts';
import type { Socket } from '../../src/gateway/stream/sockets/socket.ts';
import type { Streams } from '../../src/gateway/stream/streams.ts';
import { CheckedMessages } from '../stream/described.ts';

/** A request of a test as an operation of `/ws`. */
interface Sent {
  readonly op: string;
  /** Parameters as JSON text. */
  readonly params: string;
}

/** The response to an operation in the form of a REST response. */
export interface SocketResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends requests of tests as operations over a socket, so that the same suites run over both transports. */
export class SocketTransport {
  private readonly sockets = new Map<string, TestSocket>();
  private nextId = 1;

  constructor(private readonly streams: Streams) {}

  /** Returns undefined if the request has no operation. @param name The name of the key. */
  send(
    name: string,
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
  ): Promise<SocketResponse> | undefined {
    const sent = toOperation(method, path, body);
    if (sent === undefined) return undefined;
    const id = `${this.nextId++}`;
    return this.sockets.get(name)!.request(this.streams, sent.op, id, sent.params);
  }

  /** Opens a socket with the key of that name. */
  open(name: string, key: { readonly apiKey: string; readonly apiSecret: string }): void {
    const socket = new TestSocket(this.streams);
    this.sockets.set(name, socket);
    this.streams.message(socket.socket, JSON.stringify({ op: 'auth', ...key }));
  }
}

/** The server's end of a socket whose client is a test. */
class TestSocket {
  readonly socket: Socket;
  private readonly waiting = new Map<string, (text: string) => void>();
  private readonly checked = new CheckedMessages();
  private onInvalid: ((text: string) => void) | undefined;

  constructor(streams: Streams) {
    const from = { address: '127.0.0.1', origin: null, host: null };
    this.socket = {
      data: streams.connection(from),
      readyState: WebSocket.OPEN,
      getBufferedAmount: () => 0,
      subscribe() {},
      unsubscribe() {},
      close() {},
      cork: (callback: (socket: Socket) => void) => callback.call(this.socket, this.socket),
      send: (text: string) => this.receive(text),
    } as unknown as Socket;
  }

  request(streams: Streams, op: string, id: string, params: string): Promise<SocketResponse> {
    return new Promise((resolve, reject) => {
      const finish = (text: string) => {
        this.waiting.delete(id);
        this.onInvalid = undefined;
        try {
          this.checked.noteReceived(JSON.parse(text));
        } catch (error) {
          reject(error);
        }
        resolve(toResponse(text));
      };
      this.waiting.set(id, finish);
      // A message that is no JSON has no id to answer with.
      this.onInvalid = (text) => finish(text.replace('"op":"error"', '"success":false'));
      const message = `{"op":"${op}","id":"${id}","params":${params}}`;
      this.checked.noteSent(message);
      streams.message(this.socket, message);
      this.onInvalid = undefined;
    });
  }

  private receive(text: string): void {
    if (text.startsWith('{"op":"authenticated"')) return;
    const id = /^\{"op":"[\w.]+","id":"(\d+)"/.exec(text)?.[1];
    const finish = id === undefined ? this.onInvalid : this.waiting.get(id);
    if (finish === undefined) throw new Error(`unexpected message: ${text}`);
    finish(text);
  }
}

const RATE_LIMIT = /,"rateLimit":\{[^}]*\}\}$/;

/** Returns the REST response that has the content of an operation's response. */
export function toResponse(text: string): SocketResponse {
  const { error, rateLimit, retryAfter } = JSON.parse(text);
  const status = error === undefined ? 200 : ERRORS[error.code as ErrorCode].status;
  const headers = new Headers();
  for (const name in rateLimit) headers.set(`X-RateLimit-${name}`, `${rateLimit[name]}`);
  if (retryAfter !== undefined) headers.set('Retry-After', `${retryAfter}`);
  const body = text.replace(/^\{"op":.*?,"success"/, '{"success"').replace(RATE_LIMIT, '}');
  return { status, headers, text: body };
}

/** Returns the operation that does what a request does; undefined if there is none. */
export function toOperation(
  method: string,
  path: string,
  body: string | Uint8Array | undefined,
): Sent | undefined {
  if (body !== undefined && !(typeof body === 'string' && body.trim().startsWith('{'))) {
    return undefined;
  }
  const [pathname = '', search = ''] = path.split('?');
  for (const { operation, method: own, path: template } of ENDPOINTS) {
    if (operation === undefined || own !== method) continue;
    const match = new RegExp(`^${template.replace(':id', '([^/]+)')}$`).exec(pathname);
    if (match === null) continue;
    const given = new URLSearchParams(search);
    for (const [name, value] of Object.entries(operation.query ?? {})) {
      if (given.get(name) !== value) return undefined;
      given.delete(name);
    }
    const names = [...given.keys()];
    if (new Set(names).size !== names.length) return undefined;
    const orderId = match[1] === undefined ? {} : { orderId: match[1] };
    const fields = JSON.stringify({ ...orderId, ...Object.fromEntries(given) });
    return { op: operation.name, params: merged(fields, body) };
  }
  return undefined;
}

/** Returns the fields and those of a body, whose numbers keep their literals. */
function merged(fields: string, body: string | undefined): string {
  if (body === undefined) return fields;
  if (fields === '{}') return body;
  const rest = body.trimStart().slice(1);
  const isEmpty = rest.trim() === '}';
  return `${fields.slice(0, -1)}${isEmpty ? '' : ','}${rest}`;
}
