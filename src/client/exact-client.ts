import { EndpointClient } from './endpoint-client.ts';
import { type ExactNumber, exactNumber } from './exact-number.ts';
import { createCodec } from './numbers.ts';
import type { RestClientOptions } from './rest-client.ts';

/**
 * Client whose prices and amounts are ExactNumber, so that JSON.stringify writes the digits of the exchange. It sends
 * every request once.
 */
export class ExactClient extends EndpointClient<ExactNumber> {
  constructor(options: Omit<RestClientOptions, 'json'>) {
    super({ ...options, json: createCodec(true, exactNumber) });
  }
}
