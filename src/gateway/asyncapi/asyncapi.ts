import packageFile from '../../../package.json' with { type: 'json' };
import { isAvailable } from '../endpoints/endpoint.ts';
import { ENDPOINTS } from '../endpoints/endpoints.ts';
import { TAGS } from '../openapi/description.ts';
import type { JsonSchema } from '../openapi/json-schema.ts';
import { RECORDS, type RecordName } from '../openapi/record-schemas.ts';
import { STREAM_PATH } from '../stream/path.ts';
import { CHANNELS, type Channel, isAccountChannel } from '../stream/request.ts';
import { CHANNEL_DESCRIPTIONS } from './channel-schemas.ts';
import { INTRODUCTION } from './introduction.ts';
import { channelRef, type Message, messageRef } from './messages.ts';
import {
  describeOperationMessages,
  describeTerms,
  type NamedEndpoint,
} from './operation-messages.ts';
import { describeChannelMessages, describeConnectionMessages } from './stream-messages.ts';

/** The channel of messages about the connection itself. */
const CONNECTION = 'connection';
/** The channel of operations, such as orders. */
const OPERATIONS = 'operations';

/** Returns the AsyncAPI 3 document of `/ws`, made from the tables of channels and endpoints. */
export function asyncApiDocument(isSandbox = true) {
  const endpoints = ENDPOINTS.filter(
    (endpoint): endpoint is NamedEndpoint =>
      endpoint.operation !== undefined && isAvailable(endpoint, isSandbox),
  );
  const channels = {
    [CONNECTION]: describeChannel('The connection itself', describeConnectionMessages()),
    ...Object.fromEntries(
      CHANNELS.map((channel) => [
        channel,
        describeChannel(CHANNEL_DESCRIPTIONS[channel].summary, describeChannelMessages(channel)),
      ]),
    ),
    [OPERATIONS]: describeChannel(
      'Orders and reads',
      Object.assign({}, ...endpoints.map(describeOperationMessages)),
    ),
  };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Buttonwood',
      version: packageFile.version,
      description: INTRODUCTION,
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: TAG_NAMES.map((name) => ({ name, description: TAGS[name] })),
    },
    defaultContentType: 'application/json',
    servers: { exchange: describeServer('wss'), local: describeServer('ws') },
    channels,
    operations: {
      ...describeConnectionOperations(),
      ...Object.assign({}, ...CHANNELS.map(describeChannelOperations)),
      ...Object.fromEntries(
        endpoints.map((endpoint) => [endpoint.operation.name, describeOperation(endpoint)]),
      ),
    },
    components: { schemas: listRecords(channels), securitySchemes: SECURITY_SCHEMES },
  };
}

const TAG_NAMES = ['Market data', 'Trading', 'Account'] as const;

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'userPassword',
    description:
      'The API key with its secret or, if it has a public key, a signature, sent once in the message `auth`.',
  },
  session: {
    type: 'httpApiKey',
    in: 'cookie',
    name: '__Host-buttonwood',
    description:
      "Session cookie of the connection, for the exchange's own pages. They send `auth` without a key.",
  },
};
/** Credentials of which one is needed. */
const SECURITY = Object.keys(SECURITY_SCHEMES).map((name) => ({
  $ref: `#/components/securitySchemes/${name}`,
}));

function describeServer(protocol: 'ws' | 'wss') {
  const host = {
    default: protocol === 'ws' ? '127.0.0.1:3000' : 'exchange.example.com',
    description: 'Host and port of the exchange that serves this document.',
  };
  return {
    host: '{host}',
    protocol,
    description: protocol === 'ws' ? 'On this machine.' : 'Over TLS.',
    variables: { host },
  };
}

function describeChannel(title: string, messages: Readonly<Record<string, Message>>) {
  return {
    address: STREAM_PATH,
    title,
    messages,
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
  };
}

function describeConnectionOperations() {
  const exchange = (request: string, response: string, summary: string) => ({
    action: 'receive',
    channel: channelRef(CONNECTION),
    summary,
    messages: [messageRef(CONNECTION, request)],
    reply: {
      channel: channelRef(CONNECTION),
      messages: [response, 'error'].map((name) => messageRef(CONNECTION, name)),
    },
  });
  return {
    auth: exchange('auth', 'authenticated', 'Authenticate the connection, once'),
    ping: exchange('ping', 'pong', 'Check the connection'),
  };
}

/** Returns the operations of a channel: subscribing, its messages, unsubscribing. */
function describeChannelOperations(channel: Channel) {
  const { summary } = CHANNEL_DESCRIPTIONS[channel];
  const refs = (...names: readonly string[]) => names.map((name) => messageRef(channel, name));
  const isPrivate = isAccountChannel(channel);
  const terms = {
    channel: channelRef(channel),
    tags: [{ name: isPrivate ? 'Account' : 'Market data' }],
    ...(isPrivate ? { security: SECURITY } : {}),
  };
  const request = (name: string, ...replies: readonly string[]) => ({
    action: 'receive',
    ...terms,
    summary: `${summary}: ${name}`,
    messages: refs(name),
    reply: { channel: channelRef(channel), messages: refs(...replies, 'error') },
  });
  return {
    [`subscribe.${channel}`]: request('subscribe', 'snapshot', 'update'),
    [`updates.${channel}`]: {
      action: 'send',
      ...terms,
      summary,
      messages: refs('snapshot', 'update', 'ended'),
    },
    [`unsubscribe.${channel}`]: request('unsubscribe', 'unsubscribed'),
  };
}

function describeOperation(endpoint: NamedEndpoint) {
  const { operation, handle } = endpoint;
  const { summary, tag } = handle.description;
  const refs = (...kinds: readonly string[]) =>
    kinds.map((kind) => messageRef(OPERATIONS, `${operation.name}.${kind}`));
  return {
    action: 'receive',
    channel: channelRef(OPERATIONS),
    summary,
    description: describeTerms(endpoint),
    security: SECURITY,
    tags: [{ name: tag }],
    messages: refs('request'),
    reply: { channel: channelRef(OPERATIONS), messages: refs('response', 'error') },
  };
}

/** Returns the records that a part of the document refers to, also within records. */
function listRecords(part: unknown, found: Record<string, JsonSchema> = {}) {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found[name!] !== undefined) continue;
    found[name!] = RECORDS[name as RecordName];
    listRecords(found[name!], found);
  }
  return found;
}
