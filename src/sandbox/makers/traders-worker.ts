import { Traders, type TradersOptions } from './traders.ts';

/** The thread of the sandbox's traders: what they do takes no time from what serves. */

declare const self: Worker;

export type ToTraders =
  | { readonly kind: 'start'; readonly options: TradersOptions }
  | { readonly kind: 'stop' };
/** How it ended: of itself never, unless it failed. */
export type FromTraders =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

const stop = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToTraders>) => {
  if (data.kind === 'stop') stop.abort();
  else {
    // The other end is this process, whatever name its certificate is for. Of this thread alone.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    new Traders(data.options).run(stop.signal).then(
      () => post({ kind: 'stopped' }),
      (error: Error) => post({ kind: 'failed', reason: `${error.name}: ${error.message}` }),
    );
  }
};

function post(message: FromTraders): void {
  self.postMessage(message);
}
