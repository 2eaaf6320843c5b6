import {
  JsonError,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../../http/json.ts';

const METHODS = [
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'LIST_SUBSCRIPTIONS',
  'SET_PROPERTY',
  'GET_PROPERTY',
] as const;
type Method = (typeof METHODS)[number];

const STRING_ID = /^[A-Za-z0-9_-]{1,36}$/;
const MAX_ID = 2n ** 63n - 1n;
const MAX_NAME_CHARACTERS = 100;
/** Maximum characters of a client's text in an error. */
const MAX_QUOTED = 50;

/** An error of the streams (web-socket-streams.md, "Error Messages"). */
export class StreamError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** @returns StreamError 2 */
export function invalidRequest(fault: string): StreamError {
  return new StreamError(2, `Invalid request: ${fault}`);
}

export const unknownProperty = (): StreamError => new StreamError(0, 'Unknown property');

/** A message of a client of the streams. */
export type StreamRequest =
  | { readonly method: 'SUBSCRIBE' | 'UNSUBSCRIBE'; readonly names: readonly string[] }
  | { readonly method: 'LIST_SUBSCRIPTIONS' }
  | { readonly method: 'GET_PROPERTY' }
  | { readonly method: 'SET_PROPERTY'; readonly isCombined: boolean };

/** Reads a message. @throws StreamError 3 */
export function readMessage(message: string | Uint8Array): JsonObject {
  const body = readJsonObject(typeof message === 'string' ? Buffer.from(message) : message);
  if (body instanceof JsonError) {
    throw new StreamError(3, 'Invalid JSON: expected value at line 1 column 1');
  }
  return body;
}

/** Returns the JSON text of a request's id, to be echoed. @throws StreamError 2 */
export function readId({ id }: JsonObject): string {
  if (id === null) return 'null';
  if (typeof id === 'string' && STRING_ID.test(id)) return JSON.stringify(id);
  if (id instanceof JsonNumber && /^-?\d{1,19}$/.test(id.text)) {
    const value = BigInt(id.text);
    if (value <= MAX_ID && value >= -MAX_ID - 1n) return id.text;
  }
  throw invalidRequest('request ID must be an unsigned integer');
}

/** @throws StreamError */
export function readRequest({ method, params = [] }: JsonObject): StreamRequest {
  if (method === undefined) throw invalidRequest('missing field `method` at line 1 column 1');
  if (!METHODS.includes(method as Method)) {
    const variant = typeof method === 'string' ? method.slice(0, MAX_QUOTED) : typeof method;
    const expected = METHODS.map((each) => `\`${each}\``).join(', ');
    throw invalidRequest(`unknown variant \`${variant}\`, expected one of ${expected}`);
  }
  const list = readList(params);
  switch (method as Method) {
    case 'SUBSCRIBE':
    case 'UNSUBSCRIBE':
      return { method: method as 'SUBSCRIBE' | 'UNSUBSCRIBE', names: readNames(list) };
    case 'LIST_SUBSCRIPTIONS':
      if (list.length > 0) throw invalidRequest('too many parameters');
      return { method: 'LIST_SUBSCRIPTIONS' };
    case 'GET_PROPERTY':
      checkProperty(list, 1);
      return { method: 'GET_PROPERTY' };
    case 'SET_PROPERTY': {
      checkProperty(list, 2);
      const value = list[1];
      if (typeof value === 'boolean') return { method: 'SET_PROPERTY', isCombined: value };
      throw new StreamError(1, 'Invalid value type: expected Boolean');
    }
  }
}

function readList(params: JsonValue): readonly JsonValue[] {
  if (params === null) return [];
  if (Array.isArray(params)) return params;
  throw invalidRequest('params must be an array');
}

function readNames(list: readonly JsonValue[]): string[] {
  return list.map((name) => {
    const isName = typeof name === 'string' && name !== '' && name.length <= MAX_NAME_CHARACTERS;
    if (isName) return name;
    throw invalidRequest('stream name must be a string');
  });
}

/** Checks the name of a property, of which there is one. */
function checkProperty([property, ...rest]: readonly JsonValue[], count: number): void {
  if (typeof property !== 'string') throw invalidRequest('property name must be a string');
  if (property !== 'combined') throw unknownProperty();
  if (rest.length >= count) throw invalidRequest('too many parameters');
}
