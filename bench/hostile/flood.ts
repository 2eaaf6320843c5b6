/**
 * Keep-alive flood: every connection sends its next request as soon as the previous one is answered, and connects
 * again if the server closes it. flood.ts PORT REQUESTS.json SECONDS CONNECTIONS [PAUSE_MS] prints one JSON object;
 * with a pause each connection waits that long before its next request.
 */
export interface FloodResult {
  readonly answersPerSecond: number;
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Reconnects per second. */
  readonly reconnectsPerSecond: number;
}

const [port, path, seconds, connections, pauseMs = '0'] = process.argv.slice(2);
const ANSWER = 'HTTP/1.1 ';
/** The server's HTTP parser closes the connection after its own answers. */
const ENDING = 'Connection: close';

const requests = ((await Bun.file(path!).json()) as string[]).map((text) => Buffer.from(text));
const statuses: Record<string, number> = {};
/** Answers of which less than the status has come. */
const beginnings = new Map<Bun.Socket, string>();
let next = 0;
let answers = 0;
let reconnects = 0;
let isOver = false;

const start = performance.now();
for (let index = 0; index < Number(connections); index++) open();
await Bun.sleep(Number(seconds) * 1000);
isOver = true;
const aSecond = (count: number) => Math.round(count / ((performance.now() - start) / 1000));
const result: FloodResult = {
  answersPerSecond: aSecond(answers),
  statuses,
  reconnectsPerSecond: aSecond(reconnects),
};
console.log(JSON.stringify(result));
process.exit(0);

function open(): void {
  Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open: send,
      data(socket, bytes) {
        const head = (beginnings.get(socket) ?? '') + bytes.toString('latin1', 0, 200);
        // The rest of a long answer.
        if (!head.startsWith(ANSWER)) return;
        // Its status line comes in parts.
        if (head.length < ANSWER.length + 3) {
          beginnings.set(socket, head);
          return;
        }
        beginnings.delete(socket);
        const status = head.slice(ANSWER.length, ANSWER.length + 3);
        statuses[status] = (statuses[status] ?? 0) + 1;
        answers++;
        if (head.includes(ENDING)) return;
        if (pauseMs === '0') send(socket);
        else setTimeout(send, Number(pauseMs), socket);
      },
      close: reopen,
      error() {},
    },
  }).catch(reopen);
}

function send(socket: Bun.Socket): void {
  const request = requests[next++ % requests.length]!;
  // A partial write is completed by the next one: a flood may be malformed.
  socket.write(request);
}

function reopen(): void {
  if (isOver) return;
  reconnects++;
  open();
}
