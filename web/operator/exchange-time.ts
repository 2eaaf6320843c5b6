import { api } from '../api.ts';

/** Reads the exchange's clock, milliseconds since 1970: that of the computer may be wrong. */
export async function readExchangeTime(): Promise<number> {
  return Date.parse((await api.getTime()).timestamp);
}
