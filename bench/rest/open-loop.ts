import { AnswerReader } from './answer-reader.ts';
import { Latencies } from './latencies.ts';

/**
 * Open-loop load: orders are due at a steady rate, whether the ones before are answered or not.
 * open-loop.ts PORT ORDERS.json PER_SECOND SECONDS CONNECTIONS prints one JSON object.
 *
 * An order that is due takes an idle connection, or opens one while there are fewer than CONNECTIONS.
 * Where all are waiting for answers it is not sent: a client whose connections are all busy. What comes in
 * the first two seconds, while thousands of connections are opened at once, is not counted.
 */
export interface OpenLoopResult {
  /** Orders that were due, a second. */
  readonly offeredPerSecond: number;
  /** Answered with 200, a second: the goodput. */
  readonly acceptedPerSecond: number;
  /** Answered with anything else, a second. */
  readonly refusedPerSecond: number;
  /** Found no connection, a second. */
  readonly unsentPerSecond: number;
  /** From sending to the answer, of those accepted. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How many answers there were of each status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly connections: number;
  /** Connections that the server ended or did not take. */
  readonly connectionsLost: number;
}

const [port, path, perSecond, seconds, limit] = process.argv.slice(2);
const OK = 200;
const WARM_UP_MS = 2000;
/** More than is due in a moment are spread, as by many clients. */
const MOST_AT_ONCE = 256;

const orders = ((await Bun.file(path!).json()) as string[]).map((order) => Buffer.from(order));
const latencies = new Latencies();
const statuses: Record<string, number> = {};
const idle: Bun.Socket<Connection>[] = [];
let connections = 0;
let most = 0;
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
/** When counting began. */
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
  for (let count = 0; offered < due && count < MOST_AT_ONCE; count++) {
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
  most = Math.max(most, connections);
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
  // What does not fit belongs to a connection that has ended: its end is told of itself.
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
    connections: most,
    connectionsLost,
  };
  console.log(JSON.stringify(result));
  process.exit(0);
}
