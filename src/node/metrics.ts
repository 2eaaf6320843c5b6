import type { Archivist, ArchivistProgress } from '../archivist/archivist.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Listening } from '../gateway/http/server.ts';
import type { Streams } from '../gateway/stream/streams.ts';
import type { GuardedClock } from '../monitoring/clock.ts';
import { counterOf, gauge, type Metric } from '../monitoring/metrics.ts';
import type { Monitor } from '../monitoring/monitor.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import type { Replica } from '../replica/replica.ts';
import type { ReplicaMetrics } from '../replica/replica-metrics.ts';
import type { NodeCore } from './node-core.ts';

export interface Parts {
  readonly replica: Replica;
  readonly metrics: ReplicaMetrics;
  readonly log: NodeCore['log'];
  readonly archivist: Archivist & ArchivistProgress;
  /** Of a log of many nodes. */
  readonly fill:
    | { readonly bytes: number | undefined; readonly maxBytes: number | undefined }
    | undefined;
  /** Of a log in files. */
  readonly disk: NodeCore['disk'];
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly server: Listening;
  readonly clock: Pick<GuardedClock, 'offsetMs'>;
  readonly now: () => number;
}

/** What tells how far behind a node is. */
interface Lags {
  readonly archivist: Pick<Archivist, 'lagMs'> & Pick<ArchivistProgress, 'rebuiltTo'>;
  readonly log: Pick<Parts['log'], 'clockLeadMs' | 'lastTime'>;
  readonly now: () => number;
}

/** So far behind, the archivist does not come back by itself: orders are refused long before. */
const LAGGING_MS = 10_000;
/** Nodes that live are heard several times a second: what is newest here is old where a node catches up. */
const LAGGING_LOG_MS = 2000;

/** Has the monitor tell of a node from now on, which is ready as far as it is known here. */
export function watchNode({ metrics, readiness }: Monitor, parts: Parts): void {
  metrics.push(...nodeMetrics(parts));
  watchReadiness(readiness, parts);
  const { disk } = parts;
  readiness.note('disk nearly full', () => disk?.isNearlyFull === true);
  readiness.note('disk full', () => disk?.isFull === true);
}

/** Has it told whether this node, which runs now, should be sent requests. */
export function watchReadiness(
  readiness: Readiness,
  parts: Lags & { readonly replica: Pick<Replica, 'isUnreachable'> },
): void {
  const { replica, archivist, now } = parts;
  readiness.check(
    'lagging',
    () => archivist.lagMs(now()) > LAGGING_MS || (logLagMs(parts) ?? 0) > LAGGING_LOG_MS,
  );
  readiness.check('log unreachable', () => replica.isUnreachable);
  readiness.note('history rebuilding', () => archivist.rebuiltTo !== undefined);
  readiness.clear('starting');
}

/** How old the newest batch is that this node has of a log that nodes share, by the log's own clock. */
function logLagMs({ log, now }: Lags): number | undefined {
  const { clockLeadMs, lastTime } = log;
  return clockLeadMs === undefined ? undefined : Math.max(0, now() - clockLeadMs - lastTime);
}

function nodeMetrics(parts: Parts): Metric[] {
  const { replica, metrics, log, archivist, gateway, streams, server, now } = parts;
  const { state } = replica.exchange;
  return [
    ...gateway.metrics.all,
    gauge(
      'buttonwood_requests_in_flight',
      'Requests that wait for their answer.',
      () => server.requests,
    ),
    ...metrics.all,
    gauge(
      'buttonwood_waiting_commands',
      'Commands that wait for the log.',
      () => replica.waitingCount,
    ),
    gauge('buttonwood_overloaded', 'Whether new orders are refused because too much waits.', () =>
      replica.isOverloaded ? 1 : 0,
    ),
    gauge(
      'buttonwood_log_position',
      'The newest batch of the log that this node knows.',
      () => log.lastSequence,
    ),
    ...fillMetrics(parts),
    ...diskMetrics(parts),
    gauge(
      'buttonwood_log_lag_seconds',
      'How old the newest batch is that this node has of a log on NATS.',
      () => {
        const lagMs = logLagMs(parts);
        return lagMs === undefined ? undefined : lagMs / 1000;
      },
    ),
    gauge(
      'buttonwood_applied_position',
      'The newest batch that this node has applied.',
      () => replica.position,
    ),
    gauge(
      'buttonwood_archivist_position',
      "The newest batch that this node's archivist has applied.",
      () => archivist.position,
    ),
    gauge(
      'buttonwood_archivist_lag_batches',
      'Batches that the serving replica has applied and the archivist has not.',
      () => Math.max(0, replica.position - archivist.position),
    ),
    gauge(
      'buttonwood_archivist_lag_seconds',
      'How long the oldest batch that the archivist has not applied has waited.',
      () => archivist.lagMs(now()) / 1000,
    ),
    gauge(
      'buttonwood_history_position',
      'The newest batch that is written to history.',
      () => archivist.historyPosition,
    ),
    gauge(
      'buttonwood_history_rebuilt_position',
      'The newest batch in a history that is being rebuilt from the log; left out while none is.',
      () => archivist.rebuiltTo,
    ),
    counterOf(
      'buttonwood_history_damage_total',
      'How often damage to the history database was found.',
      () => archivist.damageFound,
    ),
    gauge('buttonwood_history_writer', 'Whether this node is the one that writes history.', () =>
      archivist.isWriter ? 1 : 0,
    ),
    gauge(
      'buttonwood_clock_offset_seconds',
      "How far the machine's clock is ahead of this node's time.",
      () => parts.clock.offsetMs / 1000,
    ),
    gauge('buttonwood_stream_sockets', 'Streams open.', () => server.sockets),
    ...streams.metrics.all,
    gauge('buttonwood_open_orders', 'Open orders of all markets.', () => state.orders.size),
  ];
}

function diskMetrics({ disk }: Parts): Metric[] {
  return [
    gauge(
      'buttonwood_disk_used_ratio',
      'The used part of the disk of the data directory, 0 to 1; of several the fullest.',
      () => disk?.fullest.usedPart,
    ),
    gauge(
      'buttonwood_disk_available_bytes',
      'What is left of that disk.',
      () => disk?.fullest.availableBytes,
    ),
    gauge(
      'buttonwood_disk_full',
      'Whether new orders are refused because too little is left.',
      () => (disk === undefined ? undefined : Number(disk.isFull)),
    ),
  ];
}

function fillMetrics({ fill }: Parts): Metric[] {
  return [
    gauge('buttonwood_log_bytes', 'What the log on NATS holds.', () => fill?.bytes),
    gauge(
      'buttonwood_log_max_bytes',
      'What the log on NATS may hold, as far as that is known.',
      () => fill?.maxBytes,
    ),
  ];
}
