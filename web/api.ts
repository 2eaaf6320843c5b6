import { Client } from '../src/client/index.ts';
import { codecOf } from '../src/client/numbers.ts';
import { type Method, RestClient } from '../src/client/rest-client.ts';

/** The exchange that this page came from, by the session cookie; numbers are texts of exact digits. */
export const api = new Client({ baseUrl: location.origin, exactNumbers: true });

const rest = new RestClient({ baseUrl: location.origin, json: codecOf(true) });

/**
 * What the client has no method for.
 * @returns `data` of the answer. @throws ApiRequestError, UnreachableError
 */
export function request<Data>(method: Method, path: string, body?: object): Promise<Data> {
  return rest.request<Data>(method, path, body === undefined ? {} : { body });
}
