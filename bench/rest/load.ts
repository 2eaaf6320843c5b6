import { AnswerReader } from './answer-reader.ts';
import { Latencies } from './latencies.ts';

/**
 * Closed-loop load: every connection sends its next order when the previous one is answered.
 * load.ts PORT ORDERS.json SECONDS CONNECTIONS prints one JSON object.
 */
export interface LoadResult {
  /** Orders answered with 200; the latencies are of these. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Number of answers with another status. */
  readonly refused: number;
}

const [port, path, seconds, connections] = process.argv.slice(2);
const WARM_UP_MS = 1000;
const OK = 200;

const orders = ((await Bun.file(path!).json()) as string[]).map((order) => Buffer.from(order));
const latencies = new Latencies();
let next = 0;
let refused = 0;
let isCounting = false;

interface Connection {
  sentAt: number;
  readonly reader: AnswerReader;
}

for (let i = 0; i < Number(connections); i++) {
  await Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open(socket) {
        socket.data = { sentAt: 0, reader: new AnswerReader() };
        send(socket);
      },
      data(socket, bytes) {
        receive(socket, bytes);
      },
      close() {
        if (isCounting) throw new Error('the server closed a connection');
      },
      error(_, error) {
        throw error;
      },
    },
  });
}

await Bun.sleep(WARM_UP_MS);
isCounting = true;
const start = performance.now();
await Bun.sleep(Number(seconds) * 1000);
isCounting = false;
const elapsedMs = performance.now() - start;
const result: LoadResult = {
  ...latencies.summary(elapsedMs),
  refused,
};
console.log(JSON.stringify(result));
process.exit(0);

function send(socket: Bun.Socket<Connection>): void {
  const order = orders[next++ % orders.length]!;
  socket.data.sentAt = performance.now();
  if (socket.write(order) !== order.length) throw new Error('an order did not fit the socket');
}

function receive(socket: Bun.Socket<Connection>, bytes: Buffer): void {
  const { sentAt, reader } = socket.data;
  if (!reader.read(bytes)) return;
  if (isCounting) {
    if (reader.status === OK) latencies.add(performance.now() - sentAt);
    else refused++;
  }
  send(socket);
}
