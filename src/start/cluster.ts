import { existsSync, rmSync } from 'node:fs';
import { connectToNats, leaveSilent, patiently } from '../cluster/connection.ts';
import { NatsBus } from '../cluster/nats-bus.ts';
import { checkStore, checkVersion, ensureStream, peersOf } from '../cluster/stream.ts';
import { StreamFill } from '../cluster/stream-fill.ts';
import { checkSync } from '../cluster/sync.ts';
import type { Config, JetStreamConfig } from '../config.ts';
import { genesisCommands } from '../genesis.ts';
import { JetStream } from '../log/jetstream.ts';
import { machineClock } from '../log/message-stream.ts';
import { StreamLog } from '../log/stream-log.ts';
import { TOKEN_BYTES } from '../log/stream-state.ts';
import { CommandUndoneError } from '../replica/errors.ts';
import { ObjectSnapshots } from '../replica/object-snapshots.ts';
import { inStream } from '../replica/recovery.ts';
import { RenewedArchivist } from '../replica/renewed-archivist.ts';
import { Replica } from '../replica/replica.ts';
import { realTimers } from '../replica/timers.ts';
import { WorkerArchivist } from '../replica/worker-archivist.ts';
import { checkKind, WrongDataError } from './check-kind.ts';
import { DayFigures } from './day-figures.ts';
import { type Foundation, type Ground, LEAST_ROOM } from './foundation.ts';
import { identify } from './identity.ts';

/** Joins the nodes that serve the exchange whose log is a stream of NATS, or begins that exchange. */
export async function openCluster(
  config: Config,
  settings: JetStreamConfig,
  ground: Ground,
): Promise<Foundation> {
  const { node, isSandbox } = config;
  if (config.database.kind !== 'postgres') throw new Error('many nodes share one database');
  const { stream, replicas } = settings;
  const { credentialsPath, now, metrics, readiness } = ground;
  const onFailure = (error: Error) => ground.onFailure(inStream(error, stream));
  readiness.add('replaying');
  const connection = await connectToNats(settings, node);
  checkVersion(connection);
  await patiently(() => ensureStream(connection, stream, replicas));
  // Play money may be lost with the power.
  if (!isSandbox) await checkSync(settings, await patiently(() => peersOf(connection, stream)));
  const snapshots = await patiently(() => ObjectSnapshots.open(connection, stream, replicas));
  await patiently(() => checkStore(connection, stream, replicas));
  await identify(snapshots, config.database.url);
  const { log: state, exchange } = await patiently(() => snapshots.newest());
  exchange.state.reserve(Math.max(LEAST_ROOM, 2 * exchange.state.orders.size));
  const log = new StreamLog({
    stream: await patiently(() => JetStream.open(connection, stream)),
    ...{ node, state, onFailure, clock: machineClock },
    token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
  });
  const source = {
    ...({ log: 'jetstream', nats: settings, stream, replicas, node } as const),
    historyUrl: config.database.url,
  };
  const archivist = new RenewedArchivist(
    (onStale) => new WorkerArchivist(source, onFailure, onStale),
    onFailure,
  );
  archivist.ready.catch(onFailure);
  const figures = new DayFigures(ground.statistics);
  let areFiguresLoaded = false;
  const replica: Replica = new Replica({
    ...{ exchange, log, archivist, now, metrics, timers: realTimers, onFailure },
    skips: await patiently(() => snapshots.skips()),
    onEvents: (events) => {
      if (areFiguresLoaded) ground.onEvents(events);
      else figures.gather(replica.position + 1, events);
    },
  });
  await patiently(() => replica.begin());
  // It ends the node where the database knows of an exchange that the log has lost.
  await archivist.ready;
  if (exchange.state.version === 0) {
    checkUnused(credentialsPath);
    await begin(replica, isSandbox, ground);
  }
  checkKind(exchange.state, isSandbox, `stream ${stream}`);
  await figures.load(archivist, exchange.state, replica.position, now());
  areFiguresLoaded = true;
  readiness.clear('replaying');
  // Which of the clocks is wrong is not known here; a node whose clock agrees with the servers' is the better one.
  readiness.check('clock off', () => Math.abs(log.clockLeadMs) > MAX_CLOCK_LEAD_MS);
  const fill = await StreamFill.watch(connection, stream);
  const stay = leaveSilent(connection, () => log.silentMs);
  const bus = new NatsBus(connection, stream, node);
  return {
    ...{ replica, archivist, log, bus, fill },
    hasKeys: existsSync(credentialsPath),
    close: async () => {
      stay();
      fill.stop();
      await replica.close();
      await archivist.close();
      await log.close();
      await bus.close();
      await connection.close();
    },
  };
}

/** Far more than clocks that are kept differ by, and less than what people would notice. */
const MAX_CLOCK_LEAD_MS = 5000;

/** Keys of another exchange are in nobody else's hands: they are not written over. */
function checkUnused(path: string): void {
  if (!existsSync(path)) return;
  throw new WrongDataError(
    `The log holds no exchange yet, but ${path} has the keys of one. Is it the right log (BUTTONWOOD_LOG_STREAM)? ` +
      'To begin a new exchange, move that file away.',
  );
}

/** Makes an empty log an exchange, unless another node is first: then the keys made for it are worth nothing. */
async function begin(replica: Replica, isSandbox: boolean, ground: Ground): Promise<void> {
  const { storage, credentialsPath, plannedUrl } = ground;
  const commands = await genesisCommands(storage, isSandbox, credentialsPath, plannedUrl);
  // Submitted together they are one batch.
  const outcomes = commands.map((command) => replica.execute(command));
  try {
    await Promise.all(outcomes);
  } catch (error) {
    if (!(error instanceof CommandUndoneError)) throw error;
    await Promise.allSettled(outcomes);
    if (replica.exchange.state.version === 0) return begin(replica, isSandbox, ground);
    rmSync(credentialsPath);
  }
}
