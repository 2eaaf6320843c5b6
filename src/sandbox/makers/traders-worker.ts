import { Traders, type TradersOptions } from './traders.ts';

/** Entry point of the traders' thread, which keeps their work off the serving thread. */

declare const self: Worker;

export type ToTraders =
  | { readonly kind: 'start'; readonly options: TradersOptions }
  | { readonly kind: 'stop' };
/** Sent once, when the traders were stopped or have failed. */
export type FromTraders =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

const stop = new AbortController();

self.onmessage = ({ data }: MessageEvent<ToTraders>) => {
  if (data.kind === 'stop') stop.abort();
  else {
    // The server is this process, whatever name its certificate has. Applies only to this thread.
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
