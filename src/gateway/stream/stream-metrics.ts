import {
  Counter,
  DURATION_BOUNDS_SECONDS,
  gauge,
  Histogram,
  labels,
  type Metric,
} from '../../monitoring/metrics.ts';
import { ENDPOINTS } from '../endpoints/endpoints.ts';
import { STATUS_LABELS, statusSlot } from '../http/request-metrics.ts';
import { CHANNELS, type Channel } from './request.ts';

/** Endpoints that are operations, as numbers in ENDPOINTS. */
const OPERATIONS = ENDPOINTS.flatMap(({ operation }, index) =>
  operation === undefined ? [] : index,
);
const OPERATION_NAMES = OPERATIONS.map((index) => ENDPOINTS[index]!.operation!.name);
/** The number of each operation in OPERATIONS, by its endpoint's number. */
const operationNumbers = new Uint16Array(ENDPOINTS.length);
for (const [number, index] of OPERATIONS.entries()) operationNumbers[index] = number;

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
    OPERATION_NAMES.flatMap((operation) =>
      STATUS_LABELS.map((status) => labels({ operation, status })),
    ),
  );

  private readonly durations = new Histogram(
    'buttonwood_operation_duration_seconds',
    'Time from the receipt of an operation to its response, by operation and transport.',
    DURATION_BOUNDS_SECONDS,
    OPERATION_NAMES.map((operation) => labels({ operation, transport: 'socket' })),
  );

  /** Operations without a response yet. */
  operationsInFlight = 0;

  /** @param requestDurations The durations of requests, with a slot for each endpoint. */
  all(requestDurations: Histogram): Metric[] {
    const inFlight = gauge(
      'buttonwood_stream_operations_in_flight',
      'Operations of sockets waiting for their response.',
      () => this.operationsInFlight,
    );
    const durations = this.operationDurations(requestDurations);
    return [this.updates, this.dropped, this.operations, durations, inFlight];
  }

  /** Returns the durations of operations over both transports. Those of requests are not measured twice. */
  private operationDurations(requestDurations: Histogram): Metric {
    const { name, help, type } = this.durations;
    const lines = () =>
      OPERATION_NAMES.flatMap((operation, number) => [
        ...requestDurations.slotLines(
          OPERATIONS[number]!,
          name,
          labels({ operation, transport: 'rest' }),
        ),
        ...this.durations.slotLines(number),
      ]);
    return { name, help, type, lines };
  }

  /**
   * Counts a response to an operation.
   * @param endpoint The number of its endpoint in ENDPOINTS.
   * @param startedAt A value of `performance.now()`.
   */
  noteResponse(endpoint: number, status: number, startedAt: number): void {
    const number = operationNumbers[endpoint]!;
    this.operationsInFlight--;
    this.operations.add(number * STATUS_LABELS.length + statusSlot(status));
    this.durations.note((performance.now() - startedAt) / 1000, number);
  }

  channelSlot(channel: Channel): number {
    return CHANNELS.indexOf(channel);
  }
}
