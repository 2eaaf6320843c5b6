import { Client } from '../src/client/index.ts';

/** Client of the exchange that served this page. It uses the session cookie; numbers are exact decimal strings. */
export const api = new Client({ baseUrl: location.origin, exactNumbers: true });
