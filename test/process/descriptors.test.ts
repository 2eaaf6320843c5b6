import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dataPaths } from '../../src/data-paths.ts';
import { opening } from './crowd.ts';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';
import { RawConnection } from './raw-connection.ts';

setDefaultTimeout(60_000);

const LIMIT = 200;
const CROWD = 400;
const ROUNDS = 25;
const LEAST_SEGMENTS = 10;
/** A node that may have few descriptors, and opens files with nearly every order. */
const COMMAND = [
  ...['bash', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'bash', process.execPath],
  ...['--preload', './test/process/open-often.ts', 'src/main.ts', 'start'],
];

const directory = temporaryDirectory();
const paths = dataPaths(directory.path);
const node = MainProcess.spawn(COMMAND, {
  BUTTONWOOD_DATA: directory.path,
  BUTTONWOOD_MAKERS: 'off',
  BUTTONWOOD_RATE_LIMITS: 'off',
});
afterAll(() => {
  node.signal('SIGKILL');
  directory.remove();
});

test('connections that use up every descriptor stop neither the node nor who is connected', async () => {
  const baseUrl = await node.serving();
  const alice = await Trader.connect(baseUrl);
  await alice.ask('GET', '/api/portfolio/balances');
  const crowd: Socket[] = await Promise.all(Array.from({ length: CROWD }, () => opening(baseUrl)));
  while (descriptors() < LIMIT) await Bun.sleep(5);
  const segments = () => readdirSync(paths.log).length;
  const segmentsBefore = segments();
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.0001, price: 50_000 };
  for (let round = 0; round < ROUNDS; round++) {
    const { orderId } = await alice.ask('POST', '/api/orders', JSON.stringify(order));
    await alice.ask('DELETE', `/api/orders/${orderId}`);
    // The archivist answers.
    expect(await alice.ask('GET', `/api/orders/${orderId}`)).toHaveProperty('status', 'canceled');
  }
  expect(segments() - segmentsBefore).toBeGreaterThanOrEqual(LEAST_SEGMENTS);
  await node.printed(/LimitNOFILE/);
  expect(descriptors()).toBe(LIMIT);

  for (const socket of crowd) socket.destroy();
  const newcomer = await Trader.connect(baseUrl);
  await newcomer.ask('GET', '/api/portfolio/balances');
  const snapshots = readdirSync(paths.snapshots);
  await node.stop();
  expect(readdirSync(paths.snapshots)).not.toEqual(snapshots);
});

function descriptors(): number {
  return readdirSync(`/proc/${node.pid}/fd`).length;
}

/** Alice, on one connection that stays. */
class Trader {
  private constructor(
    private readonly connection: RawConnection,
    private readonly credential: Credential,
  ) {}

  static async connect(baseUrl: string): Promise<Trader> {
    const { accounts } = JSON.parse(readFileSync(paths.sandbox, 'utf8'));
    return new Trader(await RawConnection.open(baseUrl), accounts[0]);
  }

  /** The data of an answer that is 200; throws where there is none. */
  async ask(method: string, path: string, body = ''): Promise<Record<string, unknown>> {
    const { apiKey, apiSecret } = this.credential;
    this.connection.send(
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n` +
        `X-API-Secret: ${apiSecret}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const answer = await this.connection.receive();
    if (answer === undefined) throw new Error(`the connection was ended: ${node.output}`);
    expect(answer.status).toBe(200);
    return JSON.parse(answer.text).data;
  }
}
