// npm run test:crowd: 2,000 idle sockets and 500 that never read, while 20 clients trade; slow senders.
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { frame, OPCODE } from '../fuzz/frames.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

export interface Crowd {
  /** Idle sockets: half have sent nothing, half one request. */
  readonly idle: number;
  /** Connections that request more than a socket's buffers hold, and read nothing. */
  readonly unreadAnswers: number;
  /** Streams that subscribe to everything and read nothing. */
  readonly unreadStreams: number;
  readonly honest: number;
  readonly tradingMs: number;
}

export interface CrowdFigures {
  /** Latencies of the honest clients. */
  readonly answered: number;
  readonly notAnswered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  readonly requestsASecond: number;
  readonly memoryBeforeMiB: number;
  readonly memoryPeakMiB: number;
  readonly descriptorsBefore: number;
  readonly descriptorsPeak: number;
  readonly descriptorsAfter: number;
  /** Time until the server had accepted the whole crowd and filled its buffers. */
  readonly gatheredMs: number;
}

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'ETH/BTC'];
/** An answer of 3.5 MB: two exceed the system's buffers. A client that requests many at once is cut off sooner. */
const BIG_PATH = '/docs/scalar.js';
const PIPELINED = 2;
const KEPT_OPEN = 64;
const RETURN_TIMEOUT_MS = 15_000;
const SAMPLE_MS = 250;
/** Number of slow senders, at the start of the list, that never finish the headers of a first request. */
const FIRST_HEADERS = 3;
/** Limits of docs/operating/connections.md for these and the other senders, plus some seconds for a busy machine. */
const FIRST_HEADERS_SECONDS = 24;
const OTHERS_SECONDS = 76;

/** Trades while the crowd is connected, then disconnects it. */
export async function crowd(exchange: ExchangeProcess, terms: Crowd): Promise<CrowdFigures> {
  const { pid } = exchange;
  // Connect the honest clients first, and generate the document.
  await fetch(exchange.baseUrl + BIG_PATH).then((answer) => answer.bytes());
  await trade(exchange, terms.honest, 500);
  const before = { memory: memoryMiB(pid), descriptors: descriptors(pid) };
  const peak = { ...before };
  const sampling = setInterval(() => {
    peak.memory = Math.max(peak.memory, memoryMiB(pid));
    peak.descriptors = Math.max(peak.descriptors, descriptors(pid));
  }, SAMPLE_MS);
  const gatherMs = performance.now();
  const sockets = await gather(exchange.baseUrl, terms);
  // All requested answers are in the buffers, or wait for space in them.
  await fetch(`${exchange.baseUrl}/api/time`);
  const gatheredMs = round(performance.now() - gatherMs);
  const startMs = performance.now();
  const { timesMs, notAnswered } = await trade(exchange, terms.honest, terms.tradingMs);
  const seconds = (performance.now() - startMs) / 1000;
  clearInterval(sampling);
  for (const socket of sockets) socket.destroy();
  const until = Date.now() + RETURN_TIMEOUT_MS;
  while (descriptors(pid) > before.descriptors + KEPT_OPEN && Date.now() < until) {
    await Bun.sleep(20);
  }
  timesMs.sort((a, b) => a - b);
  const at = (part: number) => round(timesMs[Math.floor((timesMs.length - 1) * part)]!);
  return {
    answered: timesMs.length,
    notAnswered,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longestMs: at(1),
    requestsASecond: Math.round(timesMs.length / seconds),
    memoryBeforeMiB: before.memory,
    memoryPeakMiB: peak.memory,
    descriptorsBefore: before.descriptors,
    descriptorsPeak: peak.descriptors,
    descriptorsAfter: descriptors(pid),
    gatheredMs,
  };
}

async function gather(baseUrl: string, terms: Crowd): Promise<Socket[]> {
  const { idle, unreadAnswers, unreadStreams } = terms;
  const get = (path: string, ...headers: string[]) =>
    `GET ${path} HTTP/1.1\r\n${['Host: a', ...headers].join('\r\n')}\r\n\r\n`;
  const upgrade = get(
    ...(['/ws', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13'] as const),
    'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==',
  );
  const subscriptions = SYMBOLS.flatMap((symbol) =>
    ['prices', 'orderbook', 'trades'].map((channel) => {
      const text = JSON.stringify({ op: 'subscribe', channel, symbol });
      return frame(Buffer.from(text), { opcode: OPCODE.text });
    }),
  );
  const kinds: [number, (index: number) => (string | Uint8Array)[]][] = [
    [idle, (index) => (index % 2 === 0 ? [] : [get('/api/time')])],
    [unreadAnswers, () => [get(BIG_PATH).repeat(PIPELINED)]],
    [unreadStreams, () => [upgrade, ...subscriptions]],
  ];
  const opened = kinds.flatMap(([count, sent]) =>
    Array.from({ length: count }, async (_, index) => {
      const socket = await opening(baseUrl);
      for (const part of sent(index)) socket.write(part);
      return socket;
    }),
  );
  return Promise.all(opened);
}

/** A connection that reads nothing. */
export function opening(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

/** Runs clients that place, read and cancel orders, alternately as alice and bob. */
async function trade(exchange: ExchangeProcess, clients: number, forMs: number) {
  const timesMs: number[] = [];
  let notAnswered = 0;
  const until = performance.now() + forMs;
  const ask = async (who: Credential, method: string, path: string, body?: string) => {
    const start = performance.now();
    const answer = await exchange.send(who, method, path, body).catch(() => undefined);
    if (answer?.status === 200) timesMs.push(performance.now() - start);
    else notAnswered++;
    return answer;
  };
  const client = async (_: unknown, index: number) => {
    const who = exchange.credential(index % 2 === 0 ? 'alice' : 'bob');
    // Alternate sides, so that accounts stay below their limit of open orders.
    for (let turn = index >> 1; performance.now() < until; turn++) {
      const side = turn % 2 === 0 ? 'buy' : 'sell';
      const order = { symbol: 'BTC/USDT', side, type: 'limit', amount: 0.0001, price: 100_000 };
      await ask(who, 'POST', '/api/orders', JSON.stringify(order));
      const away = { ...order, price: side === 'buy' ? 50_000 : 200_000 };
      const placed = await ask(who, 'POST', '/api/orders', JSON.stringify(away));
      const path = `/api/orders/${placed?.json.data?.orderId}`;
      await ask(who, 'GET', path);
      await ask(who, 'DELETE', path);
      await ask(who, 'GET', '/api/portfolio/balances');
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { timesMs, notAnswered };
}

/**
 * Returns the seconds after which the server ends a sender that never finishes, by the part that it sends.
 * @throws Error if one exceeds the limit in docs/operating/connections.md
 */
async function slowSenders(exchange: ExchangeProcess): Promise<Record<string, number>> {
  const head = 'GET /api/time HTTP/1.1\r\nHost: a\r\n';
  const { apiKey, apiSecret } = exchange.credential('alice');
  const post = `POST /api/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nX-API-Secret: ${apiSecret}\r\nContent-Type: application/json\r\n`;
  const length = `${post}Content-Length: 1000\r\n\r\n`;
  const kinds: [name: string, first: string, everySecond: string][] = [
    ['nothing sent', '', ''],
    ['a header a second', head, 'X-A: b\r\n'],
    ['a byte of a header a second', `${head}X-A: `, 'b'],
    ['a second request, a header a second', `${head}\r\n${head}`, 'X-A: b\r\n'],
    ['no second request', `${head}\r\n`, ''],
    ['a body that never begins', length, ''],
    ['a byte of a body a second', length, ' '],
    ['a chunk a second', `${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    [
      'answers that are never read',
      `GET ${BIG_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(PIPELINED),
      '',
    ],
  ];
  const startMs = performance.now();
  const secondsSoFar = () => Math.round((performance.now() - startMs) / 1000);
  const ended = kinds.map(async ([name, first, everySecond], index) => {
    const limitSeconds = index < FIRST_HEADERS ? FIRST_HEADERS_SECONDS : OTHERS_SECONDS;
    const socket = await opening(exchange.baseUrl);
    const port = socket.localPort!;
    socket.write(first);
    if (!name.includes('never read')) socket.resume();
    const timer = setInterval(() => everySecond !== '' && socket.write(everySecond), 1000);
    // The table is not a consistent snapshot: concurrent changes may hide an entry.
    for (let missing = 0; missing < 5; await Bun.sleep(100)) {
      missing = isServed(exchange.pid, port) ? 0 : missing + 1;
      if (secondsSoFar() > limitSeconds) throw new Error(`${name}: not ended in ${limitSeconds} s`);
    }
    clearInterval(timer);
    socket.destroy();
    return [name, secondsSoFar()] as const;
  });
  return Object.fromEntries(await Promise.all(ended));
}

/** TCP states of a connection that is established, or waits for the first bytes. */
const OPEN = /^0[13]/;

/** Whether the server's end of the connection from this port is open, by the system's table. */
function isServed(pid: number, clientPort: number): boolean {
  const port = `:${clientPort.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .some((line) => {
      const [, , remote, state] = line.trim().split(/\s+/);
      return remote?.endsWith(port) && OPEN.test(state!);
    });
}

function memoryMiB(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1024);
}

function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export const WHOLE_CROWD = { idle: 2000, unreadAnswers: 100, unreadStreams: 400, honest: 20 };

if (import.meta.main) {
  const directory = temporaryDirectory();
  const exchange = await ExchangeProcess.start(directory.path);
  try {
    const [figures, slow] = await Promise.all([
      crowd(exchange, { ...WHOLE_CROWD, tradingMs: 75_000 }),
      slowSenders(exchange),
    ]);
    console.log(figures);
    console.log('ended by the server after so many seconds:', slow);
    if (figures.notAnswered > 0) throw new Error(`${figures.notAnswered} were not answered`);
    const { exitCode, output } = await exchange.stop();
    if (exitCode !== 0 || output.includes('failed')) throw new Error(output);
  } finally {
    await exchange.kill();
    directory.remove();
  }
}
