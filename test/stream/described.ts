import { Ajv, type ValidateFunction } from 'ajv';
import { asyncApiDocument } from '../../src/gateway/asyncapi/asyncapi.ts';
import { closed } from '../http/described.ts';

/** Checks the messages of sockets against the AsyncAPI document. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read by its paths
export const DOCUMENT: any = JSON.parse(JSON.stringify(asyncApiDocument()));

const ajv = new Ajv({
  strict: false,
  validateSchema: false,
  formats: { 'date-time': true },
  // Compiling a schema takes longer than running it, so that its code is not optimized.
  code: { optimize: false },
});
ajv.addSchema(closed(DOCUMENT) as object, 'api');

// biome-ignore lint/suspicious/noExplicitAny: messages have many forms
type Message = any;

/** A message of the document. */
export interface Described {
  /** Its channel and its name there. */
  readonly name: string;
  readonly isSentByClients: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly message: any;
}

/** Returns every message of the document. The error without a channel is one of each channel, and is returned once. */
export function listDescribed(): Described[] {
  const received = Object.values<Message>(DOCUMENT.operations)
    .filter(({ action }) => action === 'receive')
    .flatMap(({ messages }) => messages.map(({ $ref }: { $ref: string }) => $ref));
  return Object.entries<Message>(DOCUMENT.channels).flatMap(([channel, { messages }]) =>
    Object.entries(messages)
      .filter(([name]) => name !== 'error' || channel === 'connection')
      .map(([name, message]) => ({
        name: `${channel}/messages/${name}`,
        isSentByClients: received.includes(`#/channels/${channel}/messages/${name}`),
        message,
      })),
  );
}

const described = Map.groupBy(listDescribed(), ({ isSentByClients, message }) => {
  const { op, channel } = message.payload.properties;
  return toKey(isSentByClients, op.const, channel?.const);
});
const compiled = new Map<string, ValidateFunction>();

function toKey(isSentByClients: boolean, op: string, channel: string | undefined): string {
  return `${isSentByClients ? 'sent' : 'received'} ${op} ${channel ?? ''}`;
}

/** Checks that the document describes a message of the exchange, by exactly one of its messages. */
export function checkReceived(message: Message): void {
  check(message, false);
}

/** Checks that the document permits a message that was successful. */
export function checkSent(message: Message): void {
  check(message, true);
}

function check(message: Message, isSentByClients: boolean): void {
  const candidates = described.get(toKey(isSentByClients, message.op, message.channel)) ?? [];
  const faults = candidates.map(({ name }) => findFaults(name, message));
  const fitting = faults.filter((each) => each === '').length;
  if (fitting === 1) return;
  const what = `${isSentByClients ? 'sent' : 'received'}: ${JSON.stringify(message).slice(0, 500)}`;
  const reason = fitting > 1 ? 'several messages of the document fit' : faults.join(' | ');
  throw new Error(`${what} is not as described: ${reason || 'no such message'}`);
}

/** Returns the differences between a value and a message of the document, empty if there are none. */
export function findFaults(name: string, value: unknown): string {
  let validate = compiled.get(name);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `api#/channels/${name}/payload` });
    compiled.set(name, validate);
  }
  if (validate(value)) return '';
  return validate
    .errors!.map(({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    )
    .join('; ');
}

/** The messages of one connection: checks every message received, and those sent that were successful. */
export class CheckedMessages {
  /** Messages without a response yet, by what their response repeats of them. */
  private readonly sent = new Map<string, Message>();

  noteSent(text: string): void {
    let message: Message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message?.op !== undefined) this.sent.set(requestKey(message), message);
  }

  /** @throws Error if the message, or the one that it responds to, is not as described */
  noteReceived(message: Message): void {
    checkReceived(message);
    if (message.op === 'error') {
      // It does not say which message was wrong.
      for (const [key, { id }] of this.sent) if (id === undefined) this.sent.delete(key);
      return;
    }
    const key = responseKey(message);
    const sent = this.sent.get(key);
    if (sent === undefined) return;
    this.sent.delete(key);
    if (message.success !== false) checkSent(sent);
  }
}

function requestKey({ op, id, channel, symbol, interval }: Message): string {
  if (id !== undefined) return JSON.stringify([op, id]);
  return JSON.stringify([op, channel, symbol, op === 'unsubscribe' ? undefined : interval]);
}

const REQUESTS: Readonly<Record<string, string>> = {
  snapshot: 'subscribe',
  update: 'subscribe',
  unsubscribed: 'unsubscribe',
  authenticated: 'auth',
  pong: 'ping',
};

function responseKey(message: Message): string {
  return requestKey({ ...message, op: REQUESTS[message.op] ?? message.op });
}
