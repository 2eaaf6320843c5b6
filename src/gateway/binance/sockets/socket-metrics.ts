import { Counter, labels, type Metric } from '../../../monitoring/metrics.ts';
import { STATUS_LABELS, statusSlot } from '../../http/request-metrics.ts';

const KINDS = ['market_data', 'user_data'] as const;
export type EventKind = (typeof KINDS)[number];
const KIND_LABELS = KINDS.map((kind) => labels({ kind }));
const OTHER = 'other';

/** The metrics of the dialect's sockets. */
export class SocketMetrics {
  readonly events = new Counter(
    'buttonwood_binance_stream_events_total',
    'Events of the streams of the Binance dialect, counted once per subscriber.',
    KIND_LABELS,
  );
  readonly bytes = new Counter(
    'buttonwood_binance_stream_bytes_total',
    'Bytes of these events.',
    KIND_LABELS,
  );
  readonly operations: Counter;
  private readonly slots: ReadonlyMap<string, number>;

  /** @param methods The methods of the WebSocket API. */
  constructor(methods: readonly string[]) {
    const names = [...methods, OTHER];
    this.slots = new Map(names.map((method, index) => [method, index * STATUS_LABELS.length]));
    this.operations = new Counter(
      'buttonwood_binance_operations_total',
      'Requests to the WebSocket API of the Binance dialect by method and status.',
      names.flatMap((method) => STATUS_LABELS.map((status) => labels({ method, status }))),
    );
  }

  get all(): Metric[] {
    return [this.events, this.bytes, this.operations];
  }

  /** Counts an event, which consists of ASCII characters. */
  noteEvent(kind: EventKind, event: string, subscribers = 1): void {
    const slot = KINDS.indexOf(kind);
    this.events.add(slot, subscribers);
    this.bytes.add(slot, subscribers * event.length);
  }

  /** Counts a response. @param method Undefined if the request could not be read. */
  noteResponse(method: string | undefined, status: number): void {
    const slot = this.slots.get(method ?? OTHER) ?? this.slots.get(OTHER)!;
    this.operations.add(slot + statusSlot(status));
  }
}
