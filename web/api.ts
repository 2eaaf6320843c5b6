import { Client } from '../src/client/index.ts';
import { noteRateLimit } from './rate-limits.ts';
import { selectedId } from './selected-account.ts';

/**
 * Client of the exchange that served this page. It uses the session cookie and the account that this page is for; numbers
 * are exact decimal strings.
 */
export const api = new Client({
  baseUrl: location.origin,
  exactNumbers: true,
  account: selectedId,
  onRateLimit: noteRateLimit,
});
