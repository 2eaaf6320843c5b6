import {
  JsonError,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  readJsonObject,
} from '../../http/json.ts';
import { BinanceError } from '../errors.ts';
import { illegalData, Parameters } from '../parameters.ts';

const MAX_ID_CHARACTERS = 36;
/** Methods may be called by their version too. */
const VERSION = 'v3/';

/** A request to the WebSocket API (web-socket-api.md, "Request format"). */
export interface ApiRequest {
  readonly method: string;
  readonly given: Parameters;
}

/** Reads a message. @throws BinanceError -1135 */
export function readMessage(message: string | Uint8Array): JsonObject {
  const body = readJsonObject(typeof message === 'string' ? Buffer.from(message) : message);
  if (body instanceof JsonError) throw new BinanceError(-1135, 'Invalid JSON Request');
  return body;
}

/** Returns the JSON text of a request's id, to be echoed; `null` if it has none that is valid. */
export function readId({ id = null }: JsonObject): string {
  if (typeof id === 'string' && id.length <= MAX_ID_CHARACTERS) return JSON.stringify(id);
  return id instanceof JsonNumber && /^-?\d{1,19}$/.test(id.text) ? id.text : 'null';
}

/** @throws BinanceError */
export function readRequest(body: JsonObject): ApiRequest {
  const { method, params = null } = body;
  if (typeof method !== 'string') throw illegalData('method');
  const isObject = typeof params === 'object' && !Array.isArray(params);
  if (!isObject || params instanceof JsonNumber) throw illegalData('params');
  const given = new Parameters();
  for (const name in params) {
    const value = params[name]!;
    if (value !== null) given.add(name, toText(name, value));
  }
  // They concern the request itself.
  given.ignore('apiKey', 'returnRateLimits');
  return {
    method: method.startsWith(VERSION) ? method.slice(VERSION.length) : method,
    given,
  };
}

/** Returns the text of a value, as it is signed. */
function toText(name: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'boolean') return String(value);
  const isNames = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (isNames) return JSON.stringify(value);
  throw illegalData(name);
}

/** Returns what a client signs: all parameters but the signature, in alphabetical order. */
export function signedPayload(given: Parameters): Uint8Array {
  const names = given.names.filter((name) => name !== 'signature').sort();
  return Buffer.from(names.map((name) => `${name}=${given.value(name)}`).join('&'));
}
