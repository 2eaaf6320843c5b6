import { Counter, labels } from '../../monitoring/metrics.ts';
import { CHANNELS, type Channel } from './request.ts';

export class StreamMetrics {
  readonly updates = new Counter(
    'buttonwood_stream_updates_total',
    'Updates sent on streams, counted once per subscriber.',
    CHANNELS.map((channel) => labels({ channel })),
  );
  readonly dropped = new Counter(
    'buttonwood_stream_readers_dropped_total',
    'Sockets disconnected because they read too slowly.',
  );

  get all() {
    return [this.updates, this.dropped];
  }

  channelSlot(channel: Channel): number {
    return CHANNELS.indexOf(channel);
  }
}
