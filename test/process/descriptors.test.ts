import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { opening } from './crowd.ts';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';
import { RawConnection } from './raw-connection.ts';

setDefaultTimeout(60_000);

const LIMIT = 200;
/** Waiting connections replace those that the node closes after 12 s. */
const CROWD = 600;
const ROUNDS = 25;
const MIN_SEGMENTS = 10;
const ROOT = join(import.meta.dir, '../..');
const LIMITED = ['bash', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'bash', process.execPath];
/** A node that opens files with nearly every order. */
const COMMAND = [...LIMITED, '--preload', './test/process/open-often.ts', 'src/main.ts', 'start'];

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

test('connections that use up every descriptor stop neither the node nor connected clients', async () => {
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
  expect(segments() - segmentsBefore).toBeGreaterThanOrEqual(MIN_SEGMENTS);
  await node.printed(/LimitNOFILE/);
  expect(await alice.status('/trade')).toBe(500);

  const snapshots = readdirSync(paths.snapshots);
  for (const socket of crowd) socket.destroy();
  const latecomer = await Trader.connect(baseUrl);
  await latecomer.ask('POST', '/api/orders', JSON.stringify(order));
  expect(await latecomer.status('/trade')).toBe(200);
  await node.stop();
  expect(snapshots).not.toContain(readdirSync(paths.snapshots).sort().at(-1)!);
});

/** A statement that changes more than SQLite keeps in memory for a rollback. */
const STATEMENT = `INSERT INTO taken WITH RECURSIVE row(n) AS
  (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 20000) SELECT hex(randomblob(16)) FROM row`;

test.each([
  ['history/database/open-database', 'openDatabase as open'],
  ['users/database', 'Database'],
])('no statement of %s needs a descriptor', (path, door) => {
  const output = runLimited(`
    import { ${door} } from './src/${path}.ts';
    const url = 'sqlite://${directory.path}/alone-${door.split(' ')[0]}.sqlite';
    const database = await ${path.startsWith('history') ? 'open(url)' : 'Database.open(url)'};
    await database.run('CREATE TABLE taken (id TEXT PRIMARY KEY)');
    await database.run(${JSON.stringify(STATEMENT)});
    takeAllBut(0);
    await database.transaction(async (queries) => {
      await (queries ?? database).run(${JSON.stringify(STATEMENT)});
    });
    console.log('done');`);
  expect(output).toBe('done\n');
});

test.each([0, 2])('users can sign up and in when %d descriptors are left', (left) => {
  const output = runLimited(`
    import { smtpMail } from './src/users/mail.ts';
    import { webauthn } from './src/users/credentials/passkeys.ts';
    import { strength } from './src/users/credentials/passwords.ts';
    import { otp } from './src/users/credentials/second-factor.ts';
    const send = await smtpMail('smtp://127.0.0.1:1', 'exchange@example.com');
    takeAllBut(${left});
    strength();
    const { generateAuthenticationOptions } = webauthn();
    await generateAuthenticationOptions({ rpID: 'example.com' });
    otp().generateSecret();
    await send({ to: 'a@example.com', subject: '', text: '' }).catch(() => console.log('no mail'));
    process.exit();`);
  expect(output).toBe('no mail\n');
});

test.each([1, 4])('pages are built once more than %d descriptors are left', (left) => {
  const output = runLimited(`
    import { bundle } from './src/gateway/pages/bundle.ts';
    takeAllBut(${left});
    await bundle(['pages/trade.tsx']).catch((error) => console.log(error.message));
    giveBack();
    console.log((await bundle(['pages/trade.tsx'])).entries.size);`);
  expect(output).toBe('Too few file descriptors are free to bundle the pages.\n1\n');
});

test.each([1, 2])('only the bundle fails when connections leave %d descriptors', (left) => {
  const output = runLimited(`
    import { startBundler } from './src/gateway/pages/bundle.ts';
    await startBundler();
    takeAllBut(${left});
    const entrypoints = ['web/pages/trade.tsx'];
    await Bun.build({ entrypoints }).catch((error) => console.log(error.name));`);
  expect(output).toBe('AggregateError\n');
});

/** Returns the output of a separate process with few descriptors. */
function runLimited(script: string): string {
  const taking = `
    import { closeSync, openSync } from 'node:fs';
    const taken = [];
    const giveBack = () => taken.splice(0).forEach((each) => closeSync(each));
    function takeAllBut(left) {
      try {
        for (;;) taken.push(openSync('/dev/null', 'r'));
      } catch {
        for (const each of taken.splice(0, left)) closeSync(each);
      }
    }`;
  const { stdout, stderr } = Bun.spawnSync([...LIMITED, '-e', taking + script], { cwd: ROOT });
  return `${stdout}${stderr}`;
}

function descriptors(): number {
  return readdirSync(`/proc/${node.pid}/fd`).length;
}

/** Alice, on one persistent connection. */
class Trader {
  private constructor(
    private readonly connection: RawConnection,
    private readonly credential: Credential,
  ) {}

  static async connect(baseUrl: string): Promise<Trader> {
    const { accounts } = JSON.parse(readFileSync(paths.sandbox, 'utf8'));
    return new Trader(await RawConnection.open(baseUrl), accounts[0]);
  }

  async status(path: string): Promise<number | undefined> {
    this.connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return (await this.connection.receive())?.status;
  }

  /** Returns the data of a 200 answer. @throws Error if the connection is closed. */
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
