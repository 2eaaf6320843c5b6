/**
 * npm run bench:ws [-- --seconds N] [--connections N] [--in-flight N] [--accounts N]
 *
 * Measures durable orders per second over sockets, next to a bare WebSocket echo of messages of the same sizes and to
 * orders over HTTP, in slices that take turns; and orders that are rejected, each of which must cost less than one that
 * is placed (`ratioOfRefusals` above 1). Exchange, echo and load generator are separate processes. Ratios are medians of
 * neighboring slices. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, pairedRatio } from './pairs.ts';
import { fdatasyncMs } from './rest/disk.ts';
import { makeOrders, openAccounts } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';
import type { WsLoad, WsLoadResult } from './ws/load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '64' },
    'in-flight': { type: 'string', default: '16' },
    accounts: { type: 'string', default: '1000' },
    slices: { type: 'string', default: '5' },
  },
});
const slices = Number(values.slices);
const sliceSeconds = Number(values.seconds) / slices / 6;
/** Size of the answer to a limit order that rests, with its envelope. */
const ANSWER_BYTES = 560;
/** Smaller than the minimum value of an order. */
const REFUSED_ORDER =
  '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.00000001,"price":0.01}';
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const [exchangePort, echoPort] = [4301, 4302];

const processes = new Processes();
try {
  const disk = await fdatasyncMs(directory);
  const sandbox = await processes.serveSandbox(exchangePort, directory, 'off');
  await processes.serve(['bench/ws/echo.ts'], echoPort, { ANSWER_BYTES: `${ANSWER_BYTES}` });
  const baseUrl = `http://127.0.0.1:${exchangePort}`;
  const accounts = await openAccounts(baseUrl, sandbox, Number(values.accounts));
  const requests = makeOrders(accounts, 20_000, 1);
  const restFile = join(directory, 'requests.json');
  await Bun.write(restFile, JSON.stringify(requests));
  const wsFile = join(directory, 'orders.json');
  const load: WsLoad = {
    auths: accounts.map((account) => JSON.stringify({ op: 'auth', ...account })),
    params: requests.slice(0, 4000).map((each) => each.slice(each.indexOf('\r\n\r\n') + 4)),
  };
  await Bun.write(wsFile, JSON.stringify(load));
  const refusedFile = join(directory, 'refused.json');
  const refusedLoad: WsLoad = { ...load, params: [REFUSED_ORDER] };
  await Bun.write(refusedFile, JSON.stringify(refusedLoad));
  const run = (
    port: number,
    inFlight = Number(values['in-flight']),
    perSecond = 0,
    file = wsFile,
  ) => {
    firstAccount += 397;
    const numbers = [sliceSeconds, values.connections, inFlight, perSecond, firstAccount];
    return processes.print<WsLoadResult>([
      'bench/ws/load.ts',
      `${port}`,
      file,
      ...numbers.map(String),
    ]);
  };
  let firstAccount = 0;
  const orders: WsLoadResult[] = [];
  const echoes: number[] = [];
  const pipelinedEchoes: number[] = [];
  const rests: number[] = [];
  const half: WsLoadResult[] = [];
  const refusals: number[] = [];
  for (let slice = 0; slice < slices; slice++) {
    const echo = await run(echoPort, 1);
    const pipelined = await run(echoPort);
    const result = await run(exchangePort);
    const rest = await processes.load(exchangePort, restFile, sliceSeconds, 256);
    half.push(await run(exchangePort, undefined, result.perSecond / 2));
    const { refused } = await run(exchangePort, undefined, 0, refusedFile);
    refusals.push(refused / sliceSeconds);
    pipelinedEchoes.push(pipelined.perSecond);
    orders.push(result);
    echoes.push(echo.perSecond);
    rests.push(rest.perSecond);
  }
  const perSecond = orders.map((each) => each.perSecond);
  console.log(
    JSON.stringify({
      ordersPerSecond: Math.round(median(perSecond)),
      echoPerSecond: Math.round(median(echoes)),
      pipelinedEchoPerSecond: Math.round(median(pipelinedEchoes)),
      restPerSecond: Math.round(median(rests)),
      ...pairedRatio(perSecond, echoes),
      ratioToRest: pairedRatio(perSecond, rests).ratio,
      p50Ms: round(median(orders.map((each) => each.p50Ms))),
      p99Ms: round(median(orders.map((each) => each.p99Ms))),
      halfLoadPerSecond: Math.round(median(half.map((each) => each.perSecond))),
      halfLoadP99Ms: round(median(half.map((each) => each.p99Ms))),
      refusalsPerSecond: Math.round(median(refusals)),
      ratioOfRefusals: pairedRatio(refusals, perSecond).ratio,
      refused: orders.reduce((sum, each) => sum + each.refused, 0),
      answerBytes: orders[0]!.answerBytes,
      echoAnswerBytes: ANSWER_BYTES,
      fdatasyncP50Ms: round(disk.p50Ms),
      fdatasyncP99Ms: round(disk.p99Ms),
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
