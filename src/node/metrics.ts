import type {
  Archivist,
  ArchivistProgress,
  RetentionStatus,
  WatchStatus,
} from '../archivist/archivist.ts';
import type { BinanceSockets } from '../gateway/binance/sockets/binance-sockets.ts';
import type { CustodyOutbox } from '../gateway/custody/outbox.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Listening } from '../gateway/http/server.ts';
import type { Notifications } from '../gateway/notifications/notifications.ts';
import type { Streams } from '../gateway/stream/streams.ts';
import type { MachineClock } from '../monitoring/clock.ts';
import { counter, gauge, labels, type Metric } from '../monitoring/metrics.ts';
import type { Monitor } from '../monitoring/monitor.ts';
import type { Readiness } from '../monitoring/readiness.ts';
import type { Replica, ReplicaMetrics } from '../replica/replica.ts';
import { type DetectorName, detectorNames } from '../surveillance/alert.ts';
import type { NodeCore } from './node-core.ts';

export interface Parts {
  readonly replica: Replica;
  readonly metrics: ReplicaMetrics;
  readonly log: NodeCore['log'];
  readonly archivist: Archivist & ArchivistProgress;
  /** Fill level of a clustered log. */
  readonly fill:
    | { readonly bytes: number | undefined; readonly maxBytes: number | undefined }
    | undefined;
  /** The disks of a single node. */
  readonly disk: NodeCore['disk'];
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly binance: Pick<BinanceSockets, 'metrics'> | undefined;
  readonly outbox: Pick<CustodyOutbox, 'metrics'>;
  readonly notifications: Pick<Notifications, 'metrics'>;
  readonly server: Listening;
  readonly clock: Pick<MachineClock, 'offsetMs'>;
  readonly now: () => number;
}

/** The sources of a node's lags. */
interface Lags {
  readonly archivist: Pick<Archivist, 'lagMs'> & Pick<ArchivistProgress, 'rebuiltTo'>;
  readonly log: Pick<Parts['log'], 'clockLeadMs' | 'lastTime'>;
  readonly now: () => number;
}

/** Archivist lag from which it does not recover by itself; orders are rejected long before. */
const LAGGING_MS = 10_000;
/** Age of the newest batch from which a node counts as catching up; running nodes send several batches a second. */
const LAGGING_LOG_MS = 2000;

/** Adds a node's metrics and readiness checks to the monitor. */
export function watchNode({ metrics, readiness }: Monitor, parts: Parts): void {
  metrics.push(...nodeMetrics(parts));
  watchReadiness(readiness, parts);
  const { disk } = parts;
  readiness.note('disk nearly full', () => disk?.isNearlyFull === true);
  readiness.note('disk full', () => disk?.isFull === true);
}

/** Adds the readiness checks of a node that has started. */
export function watchReadiness(
  readiness: Readiness,
  parts: Lags & { readonly replica: Pick<Replica, 'isUnreachable'> },
): void {
  const { replica, archivist } = parts;
  readiness.check(
    'lagging',
    () => archivist.lagMs() > LAGGING_MS || (logLagMs(parts) ?? 0) > LAGGING_LOG_MS,
  );
  readiness.check('log unreachable', () => replica.isUnreachable);
  readiness.note('history rebuilding', () => archivist.rebuiltTo !== undefined);
  readiness.clear('starting');
}

/** Returns the age of the newest batch of a clustered log, by the servers' clock, milliseconds. */
function logLagMs({ log, now }: Lags): number | undefined {
  const { clockLeadMs, lastTime } = log;
  return clockLeadMs === undefined ? undefined : Math.max(0, now() - clockLeadMs - lastTime);
}

function nodeMetrics(parts: Parts): Metric[] {
  const { replica, metrics, gateway, streams, server } = parts;
  return [
    ...gateway.metrics.all,
    gauge('buttonwood_requests_in_flight', 'Requests in progress.', () => server.requests),
    ...metrics.all,
    ...logMetrics(parts),
    ...fillMetrics(parts),
    ...diskMetrics(parts),
    ...archivistMetrics(parts),
    gauge(
      'buttonwood_clock_offset_seconds',
      "The machine's clock minus this node's time.",
      () => parts.clock.offsetMs / 1000,
    ),
    gauge('buttonwood_stream_sockets', 'Open WebSocket connections.', () => server.sockets),
    ...streams.metrics.all(gateway.metrics.durations),
    ...(parts.binance?.metrics ?? []),
    ...parts.outbox.metrics,
    ...parts.notifications.metrics,
    gauge(
      'buttonwood_open_orders',
      'Open orders of all markets.',
      () => replica.exchange.state.orders.size,
    ),
  ];
}

/** Metrics of the way into the log and of the replica that follows it. */
function logMetrics(parts: Parts): Metric[] {
  const { replica, log } = parts;
  return [
    gauge(
      'buttonwood_waiting_commands',
      'Commands waiting for the log.',
      () => replica.waitingCount,
    ),
    gauge('buttonwood_overloaded', 'Whether new orders are rejected because of overload.', () =>
      replica.isOverloaded ? 1 : 0,
    ),
    gauge(
      'buttonwood_log_position',
      'The newest batch of the log that this node knows.',
      () => log.lastSequence,
    ),
    gauge(
      'buttonwood_log_lag_seconds',
      'Age of the newest batch that this node has received from a log on NATS.',
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
  ];
}

function archivistMetrics({ replica, archivist }: Parts): Metric[] {
  return [
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
      'Waiting time of the oldest batch that the archivist has not applied.',
      () => archivist.lagMs() / 1000,
    ),
    gauge(
      'buttonwood_history_position',
      'The newest batch in history.',
      () => archivist.historyPosition,
    ),
    gauge(
      'buttonwood_history_rebuilt_position',
      'The newest batch in a history that is being rebuilt from the log; absent otherwise.',
      () => archivist.rebuiltTo,
    ),
    counter(
      'buttonwood_history_damage_total',
      'Number of times that damage to the history database was found.',
      () => archivist.damageFound,
    ),
    ...archiveMetrics(archivist),
    ...surveillanceMetrics(archivist),
    gauge('buttonwood_history_writer', 'Whether this node writes history.', () =>
      archivist.isWriter ? 1 : 0,
    ),
  ];
}

/** Metrics of the archive of the log; absent without one. */
function archiveMetrics(archivist: Pick<ArchivistProgress, 'retention'>): Metric[] {
  const read = (of: (status: RetentionStatus) => number) => () =>
    archivist.retention && of(archivist.retention);
  return [
    gauge(
      'buttonwood_archive_position',
      'The newest batch of the log in its archive.',
      read(({ archivedTo }) => archivedTo),
    ),
    gauge(
      'buttonwood_archive_stored_bytes',
      'Size of the objects in the archive.',
      read(({ storedBytes }) => storedBytes),
    ),
    gauge(
      'buttonwood_archive_waiting_bytes',
      'Size of the segments of the log that are due to move to the archive.',
      read(({ waitingBytes }) => waitingBytes),
    ),
    gauge(
      'buttonwood_archive_failing_seconds',
      'How long attempts to move segments to the archive have failed; 0 after a success.',
      read(({ failingMs }) => failingMs / 1000),
    ),
  ];
}

/** Metrics of the detectors of surveillance, absent until the archivist has caught up. */
function surveillanceMetrics(archivist: Pick<ArchivistProgress, 'surveillance'>): Metric[] {
  const perDetector = (
    type: Metric['type'],
    name: string,
    help: string,
    of: (status: WatchStatus, detector: DetectorName) => number,
  ): Metric => ({
    ...{ type, name, help },
    lines: () => {
      const { surveillance } = archivist;
      if (surveillance === undefined) return [];
      return detectorNames.map(
        (detector) => `${name}{${labels({ detector })}} ${of(surveillance, detector)}`,
      );
    },
  });
  return [
    perDetector(
      'counter',
      'buttonwood_surveillance_alerts_total',
      'Alerts of surveillance that this node has found since it started, by detector.',
      ({ alerts }, name) => alerts[name],
    ),
    perDetector(
      'gauge',
      'buttonwood_surveillance_detector_failed',
      'Whether a detector of surveillance is off because it failed.',
      ({ failures }, name) => Number(failures.some(({ detector }) => detector === name)),
    ),
  ];
}

function diskMetrics({ disk }: Parts): Metric[] {
  return [
    gauge(
      'buttonwood_disk_used_ratio',
      'Used part of the disk of the data directory, 0 to 1; the fullest one if there are several.',
      () => disk?.fullest.usedPart,
    ),
    gauge(
      'buttonwood_disk_available_bytes',
      'Available bytes of that disk.',
      () => disk?.fullest.availableBytes,
    ),
    gauge(
      'buttonwood_disk_full',
      'Whether new orders are rejected because the disk is nearly full.',
      () => (disk === undefined ? undefined : Number(disk.isFull)),
    ),
  ];
}

function fillMetrics({ fill }: Parts): Metric[] {
  return [
    gauge('buttonwood_log_bytes', 'Size of the log on NATS.', () => fill?.bytes),
    gauge(
      'buttonwood_log_max_bytes',
      'Maximum size of the log on NATS, if known.',
      () => fill?.maxBytes,
    ),
  ];
}
