import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { SQL } from 'bun';
import { generate } from 'otplib';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { CLIENT, PASSWORD, TestUsers } from '../../src/testing/test-users.ts';
import { Database } from '../../src/users/database.ts';
import { DatabaseDownError, WrongCredentialsError } from '../../src/users/errors.ts';
import { MIGRATIONS, upgrade } from '../../src/users/schema.ts';
import { loadSeal } from '../../src/users/seals.ts';
import { MAX_CACHE_AGE_MS } from '../../src/users/sign-in/sessions.ts';
import { Authenticator } from '../http/authenticator.ts';
import { Browser } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from '../stream/client.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';

/** Users of two nodes with one PostgreSQL, which may be down. */

setDefaultTimeout(30_000);
const EMAIL = 'carol@example.com';
const SITE = { origin: 'https://exchange.test', hostname: 'exchange.test' };
let server: PostgresServer;
let count = 0;

describe.skipIf(!hasPostgres())('users in PostgreSQL', () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describe('on two nodes', () => {
    let url: string;
    let network: MemoryNetwork;
    let one: TestUsers;
    let two: TestUsers;
    beforeEach(async () => {
      url = await server.createDatabase(`people_${count++}`);
      network = new MemoryNetwork();
      // Both nodes find an empty database.
      [one, two] = await Promise.all([
        TestUsers.open(url, network.join('one')),
        TestUsers.open(url, network.join('two')),
      ]);
    });
    afterEach(() => Promise.all([one.users.close(), two.users.close()]));

    test('a session that ends on one node ends on the other by a message, or soon after', async () => {
      await one.addUser(EMAIL);
      const { secret, session } = await one.signIn(EMAIL);
      const { sessions } = two.users;
      const ended: string[] = [];
      sessions.onEnded = (ids) => ended.push(...ids);
      expect((await sessions.find(secret))!.id).toBe(session.id);
      await one.users.sessions.end([session.id]);
      network.deliverAll();
      expect(sessions.cached(secret)).toBeUndefined();
      expect(ended).toEqual([session.id]);
      const next = await one.signIn(EMAIL);
      await sessions.find(next.secret);
      network.passes = () => false;
      await one.users.sessions.end([next.session.id]);
      expect(await sessions.findEnded([next.session.id, 'other'])).toEqual(
        new Set([next.session.id, 'other']),
      );
      two.now += MAX_CACHE_AGE_MS - 1;
      expect((await sessions.find(next.secret))!.id).toBe(next.session.id);
      two.now++;
      expect(sessions.cached(next.secret)).toBeUndefined();
      expect(await sessions.find(next.secret)).toBeUndefined();
      expect(ended).toEqual([session.id, next.session.id]);
    });

    test.each(['password', 'removal', 'invitation', 'second factor'])(
      'a new %s ends sessions on both',
      async (what) => {
        const user = await one.addUser(EMAIL);
        const own = await one.signIn(EMAIL);
        const other = await two.signIn(EMAIL);
        network.deliverAll();
        const { users } = one;
        if (what === 'password') {
          await users.changePassword(own.session, user, 'a field full of poppies');
        } else if (what === 'removal') {
          await users.remove(user.accountId, EMAIL, { by: '', address: '' });
        } else if (what === 'invitation') await users.invite(user.accountId, EMAIL, 1);
        else {
          const { secret } = await users.secondFactor.offer(own.session, user);
          const offered = (await users.store.findById(user.id))!;
          const code = await generate({ secret, epoch: Math.floor(one.now / 1000) });
          await users.confirmSecondFactor(own.session, offered, code);
        }
        expect(two.users.sessions.cached(other.secret)).toBeDefined();
        network.deliverAll();
        for (const { users } of [one, two]) {
          expect(await users.sessions.find(other.secret)).toBeUndefined();
          expect(await users.sessions.find(own.secret)).toBeUndefined();
        }
      },
    );

    test('no notice appears below the newest that was read', async () => {
      const sql = new SQL(url, { max: 1 });
      const [inserted, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = sql.begin(async (transaction) => {
        await transaction`INSERT INTO notices (account_id, event_id, event, created_at, data, is_read)
          VALUES ('alice', 'slow', 'price.alert', 1, '{}', 0)`;
        inserted.resolve();
        await end.promise;
      });
      await inserted.promise;
      const notice = { event: 'price.alert', createdAt: 1, data: '{}' };
      expect(await two.users.notices.add('alice', 'quick', notice)).toBe(true);
      let read: number | undefined;
      const reading = one.users.lastNoticeId().then((id) => {
        read = id;
      });
      await Bun.sleep(100);
      expect(read).toBeUndefined();
      end.resolve();
      await Promise.all([slow, reading]);
      const ids = (await one.users.notices.list('alice', 10)).map(({ id }) => id);
      expect(ids).toHaveLength(2);
      expect(read).toBe(Math.max(...ids));
      await sql.close();
    });

    test('codes, links and challenges work once on any node', async () => {
      const user = await one.addUser(EMAIL);
      const { session } = await one.signIn(EMAIL);
      const { secret } = await one.users.secondFactor.offer(session, user);
      const offered = (await one.users.store.findById(user.id))!;
      const code = (steps: number) =>
        generate({ secret, epoch: Math.floor(one.now / 1000) + 30 * steps });
      const recovery = (await one.users.secondFactor.confirm(
        ...([session, offered, await code(-1)] as const),
      ))!;
      const confirmed = (await two.users.store.findById(user.id))!;
      const onBoth = (show: (node: TestUsers) => Promise<boolean>) =>
        Promise.all([one, two, one, two].map(show));
      for (const shown of [await code(0), await code(1), recovery[0]!]) {
        const accepted = await onBoth(({ users }) => users.secondFactor.accept(confirmed, shown));
        expect(accepted.filter((each) => each)).toHaveLength(1);
      }

      await one.users.signUp.requestReset(EMAIL);
      const { token } = one;
      const reset = await onBoth(async ({ users }) => {
        try {
          await users.resetPassword(token, 'a field full of poppies');
          return true;
        } catch {
          return false;
        }
      });
      expect(reset.filter((each) => each)).toHaveLength(1);

      const authenticator = new Authenticator(SITE.origin);
      const { session: again } = await one.users.sessions.begin(
        (await one.users.store.findById(user.id))!,
        CLIENT,
      );
      const { challenge } = await one.users.passkeys.registrationOptions(user, SITE);
      await two.users.passkeys.add(again, user, SITE, authenticator.create(challenge), 'key');
      const asked = await two.users.passkeys.signInOptions(SITE);
      const answer = authenticator.get(asked.challenge);
      await one.users.passkeys.verify(SITE, answer);
      await expect(two.users.passkeys.verify(SITE, answer)).rejects.toThrow(WrongCredentialsError);
    });

    test('wrong guesses count on both nodes', async () => {
      await one.addUser(EMAIL);
      for (let guess = 0; guess < 5; guess++) {
        const node = guess % 2 === 0 ? one : two;
        await expect(node.signIn(EMAIL, 'wrong')).rejects.toThrow(WrongCredentialsError);
        network.deliverAll();
      }
      await expect(one.signIn(EMAIL)).rejects.toThrow('wait');
      await expect(two.signIn(EMAIL)).rejects.toThrow('wait');
      one.now += 1000;
      two.now += 1000;
      await one.signIn(EMAIL);
      network.deliverAll();
      for (let guess = 0; guess < 5; guess++) {
        await expect(two.signIn(EMAIL, 'wrong')).rejects.toThrow(WrongCredentialsError);
      }
    });

    test('concurrent changes to one user are atomic', async () => {
      const user = await one.addUser(EMAIL);
      const begun = await Promise.all(
        [one, two, one, two].map(async (node) => ({ node, ...(await node.signIn(EMAIL)) })),
      );
      const changes = begun.map(({ node, session }, index) =>
        node.users.changePassword(session, user, `a field full of poppies ${index}`),
      );
      const tidied = [one, two].flatMap(({ users }) => [
        users.sessions.deleteExpired(),
        users.sessions.deleteExpired(),
      ]);
      const settled = await Promise.allSettled(changes);
      await Promise.all(tidied);
      const done = settled.flatMap((each, index) => (each.status === 'fulfilled' ? [index] : []));
      for (const each of settled) {
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(WrongCredentialsError);
      }
      expect(done).toHaveLength(1);
      network.deliverAll();
      const left = await two.users.sessions.listByUser(user.id);
      expect(left.map(({ id }) => id)).toEqual([begun[done[0]!]!.session.id]);
    });
  });

  test('several nodes upgrade an empty database at once', async () => {
    const url = await server.createDatabase(`people_${count++}`);
    const databases = await Promise.all([1, 2, 3, 4, 5].map(() => Database.open(url)));
    await Promise.all(databases.map((database) => upgrade(database)));
    const [row] = await databases[0]!.query('SELECT version FROM accounts_version');
    expect(row).toEqual({ version: MIGRATIONS.length });
    await Promise.all(databases.map((database) => database.close()));
  });

  test('several nodes create one secret of public order ids at once', async () => {
    const url = await server.createDatabase(`people_${count++}`);
    const nodes = await Promise.all([1, 2, 3, 4, 5].map(() => TestUsers.open(url)));
    const later = await TestUsers.open(url);
    const secrets = [...nodes, later].map(({ users }) => users.orderIdSecret.toHex());
    expect(secrets).toEqual(secrets.map(() => later.users.orderIdSecret.toHex()));
    // The same race again and again, now that every node is connected.
    const created = new Set<string>(secrets);
    for (let round = 0; round < 30; round++) {
      const loaded = await Promise.all(
        nodes.map(({ database }) => loadSeal(database, `round ${round}`)),
      );
      expect(new Set(loaded.map((each) => each.toHex())).size).toBe(1);
      created.add(loaded[0]!.toHex());
    }
    expect(created.size).toBe(31);
    await Promise.all([...nodes, later].map(({ users }) => users.close()));
  });

  test('public order ids are the same on two nodes that start at once, and after a restart', async () => {
    const usersUrl = await server.createDatabase(`people_${count++}`);
    const publicIds = async (exchange: TestExchange) => {
      const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01 };
      for (const price of [44_000, 45_000]) await exchange.place('alice', { ...order, price });
      const { data } = await exchange.send(undefined, 'GET', '/api/level3?symbol=BTC/USDT');
      await exchange.close();
      return data.bids.map(([id]: [string]) => id);
    };
    const open = (url: string) => TestExchange.open({ usersUrl: url });
    const exchanges = await Promise.all([open(usersUrl), open(usersUrl)]);
    const [one, two] = await Promise.all(exchanges.map(publicIds));
    expect(one).toEqual([
      expect.stringMatching(/^[\w-]{22}$/),
      expect.stringMatching(/^[\w-]{22}$/),
    ]);
    expect(two).toEqual(one);
    expect(await publicIds(await open(usersUrl))).toEqual(one);
    const elsewhere = await publicIds(await open(await server.createDatabase(`people_${count++}`)));
    expect(elsewhere).not.toEqual(one);
  });

  test('a refused or failed connection is reported with advice', async () => {
    const nowhere = new URL(server.url);
    nowhere.pathname = '/nowhere';
    await expect(Database.open(nowhere.href)).rejects.toThrow(
      'PostgreSQL rejects the connection (database "nowhere" does not exist). Check',
    );
    await expect(Database.open('postgres://127.0.0.1:1/x')).rejects.toThrow(DatabaseDownError);
  });

  test('an error of a statement is not a connection error', async () => {
    const database = await Database.open(await server.createDatabase(`people_${count++}`));
    await expect(database.query('SELECT nothing')).rejects.toMatchObject({ errno: '42703' });
    const inTransaction = database.transaction((queries) => queries.query('SELECT nothing'));
    await expect(inTransaction).rejects.toMatchObject({ errno: '42703' });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  test('a standby is not used, and commits are synced whatever the settings of the role', async () => {
    const url = await server.createDatabase(`people_${count++}`);
    const setting = new Bun.SQL(url, { max: 1 });
    await setting.unsafe('ALTER ROLE CURRENT_USER SET synchronous_commit = off');
    await setting.close();
    const database = await Database.open(url);
    const text = 'SHOW synchronous_commit';
    expect(await database.query(text)).toEqual([{ synchronous_commit: 'on' }]);
    await database.run('CREATE TABLE signed_in (id TEXT)');
    await database.run("INSERT INTO signed_in VALUES ('carol')");
    await server.restartAsStandby();
    const asking = [
      () => database.query('SELECT id FROM signed_in'),
      () => database.run("INSERT INTO signed_in VALUES ('mallory')"),
      () => database.transaction((queries) => queries.query('SELECT id FROM signed_in')),
      () => Database.open(url),
    ];
    // After a refusal the database is not queried for a quarter of a second.
    const pause = () => Bun.sleep(300);
    for (const ask of asking) {
      await pause();
      expect(await ask().catch((error) => error)).toMatchObject({
        name: 'DatabaseDownError',
        mayBeDone: false,
        cause: { errno: expect.stringMatching(/25006|0A000/) },
      });
    }
    await server.restart();
    await pause();
    expect(await database.query('SELECT id FROM signed_in')).toEqual([{ id: 'carol' }]);
    await database.close();
    const own = new Bun.SQL(url, { max: 1 });
    await own.unsafe('ALTER ROLE CURRENT_USER RESET synchronous_commit');
    await own.close();
  });

  test('while it is down sessions are rejected, keys can trade, and it recovers by itself', async () => {
    const usersUrl = await server.createDatabase(`people_${count++}`);
    const exchange = await TestExchange.open({ usersUrl });
    const streams = new Streams(exchange.services, exchange.authorization);
    const terms = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
    const served = listen(exchange.gateway, terms, streams);
    const browser = await Browser.signedUp(exchange, EMAIL);
    expect((await browser.get()).status).toBe(200);
    const origin = { Origin: `http://127.0.0.1:${served.port}` };
    const cookie = { Cookie: `__Host-buttonwood=${browser.session}` };
    const client = await StreamClient.open(served.port, { ...origin, ...cookie });
    client.send({ op: 'auth' });
    expect(await client.next()).toEqual({ op: 'authenticated' });

    await server.kill();
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
    expect((await exchange.place('alice', order)).status).toBe(200);
    exchange.now += MAX_CACHE_AGE_MS;
    const answers = [
      await browser.get(),
      await browser.send('GET', '/api/orders'),
      await browser.send('POST', '/api/orders', order),
      await browser.post('/sign-in', { email: EMAIL, password: PASSWORD }),
      await browser.post('/sign-out'),
      await browser.post('/password-reset', { email: EMAIL }),
      await exchange.send('operator', 'GET', '/api/admin/accounts/alice/users'),
    ];
    for (const { code, status, headers } of answers) {
      expect([code, status, headers.get('Retry-After')]).toEqual(['OVERLOADED', 503, '1']);
    }
    expect((await exchange.send('alice', 'GET', '/api/orders')).data.orders).toHaveLength(1);
    // No node can verify its session any more.
    expect(await client.closed).toBe(1013);
    const late = await StreamClient.open(served.port, { ...origin, ...cookie });
    late.send({ op: 'auth' });
    late.send({ op: 'subscribe', channel: 'orders' });
    late.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
    expect((await late.next()).error.code).toBe('OVERLOADED');
    expect((await late.next()).error.code).toBe('UNAUTHORIZED');
    expect((await late.next()).op).toBe('snapshot');

    await server.restart();
    // The pause after a failure ends by itself.
    while ((await browser.get()).status === 503) await Bun.sleep(20);
    expect((await browser.send('GET', '/api/orders')).status).toBe(200);
    late.send({ op: 'auth' });
    expect(await late.next()).toEqual({ op: 'authenticated' });
    late.close();
    await served.stop();
    await exchange.close();
  });

  test('a connection that hangs is given up and blocks no other', async () => {
    const url = new URL(await server.createDatabase(`people_${count++}`));
    const proxy = new SilentProxy(Number(url.port));
    url.port = `${proxy.port}`;
    const database = await Database.open(url.href);
    proxy.isSilent = true;
    const asked = performance.now();
    await expect(database.query('SELECT 1')).rejects.toThrow(DatabaseDownError);
    await expect(database.query('SELECT 1')).rejects.toThrow(DatabaseDownError);
    expect(performance.now() - asked).toBeLessThan(6000);
    proxy.isSilent = false;
    for (;;) {
      const [row] = await database.query('SELECT 1 AS one').catch(() => []);
      if (row?.one === 1) break;
      await Bun.sleep(20);
    }
    await database.close();
    proxy.stop();
  });
});

type Piped = { other: Bun.Socket<Piped> | undefined; early: Uint8Array[] };

/** Forwards bytes to a port of this machine, or drops them like a network that was cut. */
class SilentProxy {
  isSilent = false;
  private readonly listener: Bun.TCPSocketListener<Piped>;

  constructor(port: number) {
    const pass = ({ data }: Bun.Socket<Piped>, bytes: Uint8Array) => {
      if (this.isSilent) return;
      if (data.other === undefined) data.early.push(bytes.slice());
      else data.other.write(bytes);
    };
    const close = ({ data }: Bun.Socket<Piped>) => void data.other?.end();
    this.listener = Bun.listen<Piped>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data: pass,
        close,
        open: async (socket) => {
          socket.data = { other: undefined, early: [] };
          const other = await Bun.connect<Piped>({
            hostname: '127.0.0.1',
            port,
            socket: { data: pass, close },
            data: { other: socket, early: [] },
          });
          for (const bytes of socket.data.early) other.write(bytes);
          socket.data.other = other;
        },
      },
    });
  }

  get port(): number {
    return this.listener.port;
  }

  stop(): void {
    this.listener.stop(true);
  }
}
