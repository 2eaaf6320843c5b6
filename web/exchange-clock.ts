/** Milliseconds by which the clock of the exchange is ahead of that of this device. */
let offsetMs = 0;

/** Returns the time of the exchange, milliseconds since 1970; that of this device until it is known. */
export function exchangeNow(): number {
  return Date.now() + offsetMs;
}

/** Reads the clock of the exchange. @param readTime Returns its time, taken to be that of the middle of the request */
export async function readExchangeClock(readTime: () => Promise<number>): Promise<void> {
  const startMs = Date.now();
  const time = await readTime();
  offsetMs = time - (startMs + Date.now()) / 2;
}
