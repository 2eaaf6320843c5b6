import { ACCOUNT_CHANNELS, CHANNELS } from '../stream/request.ts';

const UPDATE = /^\{"op":"update","channel":"(\w+)"/;
const PRIVATE = new RegExp(
  `^\\{"op":"(?:update|snapshot)","channel":"(?:${ACCOUNT_CHANNELS.join('|')})"`,
);
/** An event of an account, alone, in a message of a combined stream, or of the WebSocket API. */
const USER_EVENT =
  /^\{(?:"subscriptionId":\d+,"event":\{|"stream":"[^"]*","data":\{)?"e":"(executionReport|outboundAccountPosition|balanceUpdate|listStatus)"/;
/** The server's name for the subscribers of a stream of the Binance dialect. */
const STREAM_TOPIC = /^binance (?:raw|combined)(?: microseconds)? (.*)$/;

/** The name in scripts of the events of accounts in the Binance dialect. */
export const USER_DATA = 'stream userData';

/** The names in scripts of the channels of `/ws`, and of the events of accounts in the Binance dialect. */
export const CHANNEL_NAMES: readonly string[] = [
  ...CHANNELS.map((channel) => `channel ${channel}`),
  USER_DATA,
];

/** Returns the name in scripts of a message to one socket; undefined for snapshots, responses and all that has no faults. */
export function nameMessage(text: string): string | undefined {
  const channel = UPDATE.exec(text)?.[1];
  if (channel !== undefined) return `channel ${channel}`;
  return USER_EVENT.test(text) ? USER_DATA : undefined;
}

/** Returns the name in scripts of a message to all subscribers of a topic. */
export function namePublished(topic: string, text: string): string | undefined {
  const stream = STREAM_TOPIC.exec(topic)?.[1];
  return stream === undefined ? nameMessage(text) : `stream ${stream}`;
}

/** Returns whether a message reports the orders, fills or balances of an account. */
export function isPrivateMessage(text: string): boolean {
  return PRIVATE.test(text) || USER_EVENT.test(text);
}

/** Returns whether a message only says that an order was accepted. */
export function isAcknowledgment(text: string): boolean {
  return USER_EVENT.exec(text)?.[1] === 'executionReport' && text.includes('"x":"NEW"');
}
