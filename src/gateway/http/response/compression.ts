import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readQuality } from '../request/accept.ts';

/** Shorter bodies cost more time to compress than to send. */
const MIN_CHARACTERS = 8192;
/** The fastest level: candles are four times smaller, and level 9 takes five times as long for a tenth less. */
const LEVEL = 1;
const compress = promisify(gzip);

/** Whether the client of a GET request accepts gzip, and its body is long enough to be worth it. */
export function isWorthCompressing({ method, headers }: Request, body: string): boolean {
  if (body.length < MIN_CHARACTERS || method !== 'GET') return false;
  return readQuality('gzip', headers.get('accept-encoding')) > 0;
}

/** Returns a body in gzip, made by the thread pool, and the headers that say so. */
export async function compressed(body: string) {
  return {
    body: new Blob([await compress(body, { level: LEVEL })]),
    headers: { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
  };
}
