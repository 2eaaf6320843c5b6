import { AnswerReader } from './answer-reader.ts';
import { Latencies } from './latencies.ts';

/**
 * Open-loop load: orders are due at a steady rate, whether previous ones are answered or not.
 * open-loop.ts PORT ORDERS.json PER_SECOND SECONDS CONNECTIONS prints one JSON object.
 *
 * An order that is due takes an idle connection, or opens one while there are fewer than CONNECTIONS.
 * If all are waiting for answers, it is not sent, as by a client whose connections are all busy. The first
 * two seconds, in which thousands of connections are opened at once, do not count.
 */
export interface OpenLoopResult {
  /** Orders due per second. */
  readonly offeredPerSecond: number;
  /** Orders answered with 200 per second: the goodput. */
  readonly acceptedPerSecond: number;
  /** Orders answered with another status per second. */
  readonly refusedPerSecond: number;
  /** Orders without an idle connection per second. */
  readonly unsentPerSecond: number;
  /** Time from sending to the answer, for accepted orders. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly connections: number;
  /** Connections that the server closed or did not accept. */
  readonly connectionsLost: number;
}

const [port, path, perSecond, seconds, limit] = process.argv.slice(2);
const OK = 200;
const WARM_UP_MS = 2000;
/** Maximum orders sent at once: a larger backlog is spread, as by many clients. */
const MAX_AT_ONCE = 256;

const orders = ((await Bun.file(path!).json()) as string[]).map((order) => Buffer.from(order));
const latencies = new Latencies();
const statuses: Record<string, number> = {};
const idle: Bun.Socket<Connection>[] = [];
let connections = 0;
let maxConnections = 0;
let connectionsLost = 0;
let next = 0;
let offered = 0;
let offeredBefore = 0;
let unsent = 0;

interface Connection {
  order: Buffer;
  sentAt: number;
  readonly reader: AnswerReader;
}

const start = performance.now();
const totalMs = WARM_UP_MS + Number(seconds) * 1000;
/** The time at which counting began. */
let countedFrom = 0;
offer();

function offer(): void {
  const elapsedMs = performance.now() - start;
  if (elapsedMs >= totalMs) report(elapsedMs - countedFrom);
  if (countedFrom === 0 && elapsedMs >= WARM_UP_MS) {
    countedFrom = elapsedMs;
    offeredBefore = offered;
    unsent = 0;
  }
  const due = Math.floor((elapsedMs * Number(perSecond)) / 1000);
  for (let count = 0; offered < due && count < MAX_AT_ONCE; count++) {
    offered++;
    place();
  }
  if (offered < due) setImmediate(offer);
  else setTimeout(offer, 1);
}

function place(): void {
  const order = orders[next++ % orders.length]!;
  const socket = idle.pop();
  if (socket !== undefined) send(socket, order, performance.now());
  else if (connections < Number(limit)) open(order);
  else unsent++;
}

function open(order: Buffer): void {
  const began = performance.now();
  connections++;
  maxConnections = Math.max(maxConnections, connections);
  Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open(socket) {
        socket.data = { order, sentAt: began, reader: new AnswerReader() };
        send(socket, order, began);
      },
      data(socket, bytes) {
        const { sentAt, reader } = socket.data;
        if (!reader.read(bytes)) return;
        const { status } = reader;
        idle.push(socket);
        if (countedFrom === 0) return;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === OK) latencies.add(performance.now() - sentAt);
      },
      close(socket) {
        lost();
        const at = idle.indexOf(socket);
        if (at >= 0) idle.splice(at, 1);
      },
    },
  }).catch(lost);
}

function lost(): void {
  connections--;
  connectionsLost++;
}

function send(socket: Bun.Socket<Connection>, order: Buffer, sentAt: number): void {
  socket.data.sentAt = sentAt;
  // A write that does not fit belongs to a closed connection, whose end is reported separately.
  socket.write(order);
}

function report(elapsedMs: number): never {
  const aSecond = (count: number) => Math.round((count / elapsedMs) * 1000);
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const result: OpenLoopResult = {
    offeredPerSecond: aSecond(offered - offeredBefore),
    acceptedPerSecond: aSecond(latencies.count),
    refusedPerSecond: aSecond(answered - latencies.count),
    unsentPerSecond: aSecond(unsent),
    p50Ms: latencies.percentile(0.5),
    p99Ms: latencies.percentile(0.99),
    maxMs: latencies.percentile(1),
    statuses,
    connections: maxConnections,
    connectionsLost,
  };
  console.log(JSON.stringify(result));
  process.exit(0);
}
