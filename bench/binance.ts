/**
 * npm run bench:binance [-- --seconds N] [--slices N] [--connections N] [--in-flight N] [--accounts N]
 *
 * Measures durable orders per second of the Binance dialect next to the API of the exchange itself, in slices that take
 * turns: orders over HTTP with client order ids, those of the dialect signed with HMAC-SHA256, and `order.place` of the WebSocket API on connections that are logged
 * on. Exchange and load generator are separate processes. Ratios are medians of neighboring slices; `…CpuRatio` are those of
 * the exchange's CPU time per order. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  binanceLogons,
  binanceOrders,
  binanceParams,
  namedOrders,
  openHmacKeys,
} from './binance/orders.ts';
import { median, pairedRatio } from './pairs.ts';
import { fdatasyncMs } from './rest/disk.ts';
import type { LoadResult } from './rest/load.ts';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';
import type { WsLoad, WsLoadResult, WsProtocol } from './ws/load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '80' },
    slices: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
    'in-flight': { type: 'string', default: '16' },
    accounts: { type: 'string', default: '1000' },
  },
});
const slices = Number(values.slices);
const sliceSeconds = Number(values.seconds) / slices / 4;
const HTTP_CONNECTIONS = 256;
/** More than any slice needs: the same client order id twice would be one order. */
const MAX_ORDERS_A_SECOND = 40_000;
const WARM_UP_SECONDS = 1;
/** Time from the start of a load's process to the end of its warm-up, roughly. */
const START_MS = 1300;
const PORT = 4303;
const WS_API: WsProtocol = {
  path: '/binance/ws-api/v3',
  authenticated: '"authorizedSince":1',
  head: '{"id":"',
  middle: '","method":"order.place","params":',
  answerHead: '{"id":"',
  answerMiddle: '","status":',
  success: '2',
};

interface Slice {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly answerBytes?: number;
  /** CPU time of the exchange per order. It varies less than the rate on a machine with other work. */
  readonly cpuMicros: number;
}

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const processes = new Processes();
try {
  const disk = await fdatasyncMs(directory);
  const sandbox = await processes.serveSandbox(PORT, directory, 'off');
  const baseUrl = `http://127.0.0.1:${PORT}`;
  const accounts = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const hmacKeys = await openHmacKeys(baseUrl, sandbox, accounts.length);
  const requests = makeOrders(accounts, 20_000, 1);
  const bodies = requests.map((each) => each.slice(each.indexOf('\r\n\r\n') + 4));
  const write = async (name: string, content: unknown) => {
    const path = join(directory, name);
    await Bun.write(path, JSON.stringify(content));
    return path;
  };
  const params = bodies.slice(0, 4000);
  const auths = accounts.map((account) => JSON.stringify({ op: 'auth', ...account }));
  const nativeWs = await write('orders.json', { auths, params } satisfies WsLoad);
  let firstAccount = 0;
  const overSockets = (file: string) => {
    firstAccount += 397;
    const numbers = [sliceSeconds, values.connections, values['in-flight'], 0, firstAccount];
    return processes.print<WsLoadResult>([
      ...['bench/ws/load.ts', `${PORT}`, file],
      ...numbers.map(String),
    ]);
  };
  const rest: Slice[] = [];
  const binanceRest: Slice[] = [];
  const ws: Slice[] = [];
  const wsApi: Slice[] = [];
  /** Adds what the exchange's CPU time per order was; the load warms up for a second that counts for neither. */
  const measure = async (run: Promise<LoadResult | WsLoadResult>): Promise<Slice> => {
    await Bun.sleep(START_MS);
    const before = processes.cpuMs;
    const startedAt = performance.now();
    await Bun.sleep(sliceSeconds * 1000);
    const cpuMs = processes.cpuMs - before;
    const seconds = (performance.now() - startedAt) / 1000;
    const result = await run;
    return { ...result, cpuMicros: (cpuMs * 1000) / (result.perSecond * seconds) };
  };
  for (let slice = 0; slice < slices; slice++) {
    const count = (sliceSeconds + WARM_UP_SECONDS) * MAX_ORDERS_A_SECOND;
    const native = await write('requests.json', namedOrders(requests, count));
    rest.push(await measure(processes.load(PORT, native, sliceSeconds, HTTP_CONNECTIONS)));
    // Signed shortly before they are sent, because a signature is valid for a minute.
    const signed = await write('signed.json', binanceOrders(hmacKeys, bodies, count));
    binanceRest.push(await measure(processes.load(PORT, signed, sliceSeconds, HTTP_CONNECTIONS)));
    ws.push(await measure(overSockets(nativeWs)));
    const logons = binanceLogons(hmacKeys);
    const load: WsLoad = { auths: logons, params: binanceParams(params), protocol: WS_API };
    wsApi.push(await measure(overSockets(await write('ws-api.json', load))));
  }
  const toRates = (each: readonly { readonly perSecond: number }[]) =>
    each.map(({ perSecond }) => perSecond);
  const p99 = (each: readonly { readonly p99Ms: number }[]) =>
    round(median(each.map(({ p99Ms }) => p99Ms)));
  const refused = (each: readonly { readonly refused: number }[]) =>
    each.reduce((sum, one) => sum + one.refused, 0);
  const toCpu = (each: readonly Slice[]) => each.map(({ cpuMicros }) => cpuMicros);
  const overHttp = pairedRatio(toRates(binanceRest), toRates(rest));
  const overWs = pairedRatio(toRates(wsApi), toRates(ws));
  console.log(
    JSON.stringify({
      restPerSecond: Math.round(median(toRates(rest))),
      binanceRestPerSecond: Math.round(median(toRates(binanceRest))),
      restRatio: overHttp.ratio,
      restRatioFrom: overHttp.ratioFrom,
      restRatioTo: overHttp.ratioTo,
      restCpuMicros: round(median(toCpu(rest))),
      binanceRestCpuMicros: round(median(toCpu(binanceRest))),
      restCpuRatio: pairedRatio(toCpu(rest), toCpu(binanceRest)).ratio,
      restP99Ms: p99(rest),
      binanceRestP99Ms: p99(binanceRest),
      wsPerSecond: Math.round(median(toRates(ws))),
      wsApiPerSecond: Math.round(median(toRates(wsApi))),
      wsRatio: overWs.ratio,
      wsRatioFrom: overWs.ratioFrom,
      wsRatioTo: overWs.ratioTo,
      wsCpuMicros: round(median(toCpu(ws))),
      wsApiCpuMicros: round(median(toCpu(wsApi))),
      wsCpuRatio: pairedRatio(toCpu(ws), toCpu(wsApi)).ratio,
      wsP99Ms: p99(ws),
      wsApiP99Ms: p99(wsApi),
      wsAnswerBytes: ws[0]!.answerBytes,
      wsApiAnswerBytes: wsApi[0]!.answerBytes,
      refused: [rest, binanceRest, ws, wsApi].map(refused),
      fdatasyncP50Ms: round(disk.p50Ms),
      slices,
      sliceSeconds,
      connections: Number(values.connections),
      inFlight: Number(values['in-flight']),
      accounts: accounts.length,
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}
