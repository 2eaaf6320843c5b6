import { Client } from '../src/client/index.ts';

/** The exchange that this page came from, by the session cookie; numbers are texts of exact digits. */
export const api = new Client({ baseUrl: location.origin, exactNumbers: true });
