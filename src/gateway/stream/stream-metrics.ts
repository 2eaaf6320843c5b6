import { Counter, gauge, labels } from '../../monitoring/metrics.ts';
import { ENDPOINTS } from '../endpoints/endpoints.ts';
import { STATUS_LABELS, statusSlot } from '../http/request-metrics.ts';
import { CHANNELS, type Channel } from './request.ts';

/** Endpoints that are operations, as numbers in ENDPOINTS. */
const OPERATIONS = ENDPOINTS.flatMap(({ operation }, index) =>
  operation === undefined ? [] : index,
);
/** The first slot of each operation, by its endpoint's number. */
const firstSlots = new Uint16Array(ENDPOINTS.length);
for (const [number, index] of OPERATIONS.entries())
  firstSlots[index] = number * STATUS_LABELS.length;

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

  readonly operations = new Counter(
    'buttonwood_stream_operations_total',
    'Operations of sockets by name and the status that REST would have responded with.',
    OPERATIONS.flatMap((index) => {
      const operation = ENDPOINTS[index]!.operation!.name;
      return STATUS_LABELS.map((status) => labels({ operation, status }));
    }),
  );

  /** Operations without a response yet. */
  operationsInFlight = 0;

  get all() {
    const inFlight = gauge(
      'buttonwood_stream_operations_in_flight',
      'Operations of sockets waiting for their response.',
      () => this.operationsInFlight,
    );
    return [this.updates, this.dropped, this.operations, inFlight];
  }

  /** Counts a response to an operation. @param endpoint The number of its endpoint in ENDPOINTS. */
  noteResponse(endpoint: number, status: number): void {
    this.operationsInFlight--;
    this.operations.add(firstSlots[endpoint]! + statusSlot(status));
  }

  channelSlot(channel: Channel): number {
    return CHANNELS.indexOf(channel);
  }
}
