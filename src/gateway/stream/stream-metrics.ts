import { Counter, labels } from '../../monitoring/metrics.ts';
import { CHANNELS, type Channel } from './request.ts';

/** What streams send, counted. */
export class StreamMetrics {
  readonly updates = new Counter(
    'buttonwood_stream_updates_total',
    'Updates of streams, once for each socket that hears them.',
    CHANNELS.map((channel) => labels({ channel })),
  );
  readonly dropped = new Counter(
    'buttonwood_stream_readers_dropped_total',
    'Sockets that were disconnected because they did not read.',
  );

  get all() {
    return [this.updates, this.dropped];
  }

  slotOf(channel: Channel): number {
    return CHANNELS.indexOf(channel);
  }
}
