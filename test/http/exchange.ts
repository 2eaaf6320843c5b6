import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../../src/archivist/archive.ts';
import { LocalArchivist } from '../../src/archivist/archivist.ts';
import { openFileArchive } from '../../src/archivist/file-archive.ts';
import type { PastSource } from '../../src/archivist/past/replays.ts';
import { ReportStore } from '../../src/archivist/reports/report-store.ts';
import { SnapshotStore } from '../../src/archivist/snapshots/snapshots.ts';
import type { Bus } from '../../src/cluster/bus/bus.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import type { Event } from '../../src/engine/event.ts';
import { ENGINE_VERSION, Exchange } from '../../src/engine/exchange.ts';
import type { State } from '../../src/engine/state.ts';
import { Permission } from '../../src/engine/terms.ts';
import { Authorization } from '../../src/gateway/auth/authorization.ts';
import { KeyUseTimes } from '../../src/gateway/auth/key-uses.ts';
import { SealedSecrets } from '../../src/gateway/auth/sealed-secrets.ts';
import { Dialect } from '../../src/gateway/binance/dialect.ts';
import { CustodyOutbox } from '../../src/gateway/custody/outbox.ts';
import { AddressList, Gateway } from '../../src/gateway/gateway.ts';
import { AccountChanges } from '../../src/gateway/http/response/account-changes.ts';
import type { RateLimitMode } from '../../src/gateway/limits/rate-limit.ts';
import { Notifications } from '../../src/gateway/notifications/notifications.ts';
import { PublicOrderIds, QueuePositions, type Services } from '../../src/gateway/services.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { History } from '../../src/history/history.ts';
import { openAccount } from '../../src/node/open-account.ts';
import { ClientConnections } from '../../src/replica/client-connections.ts';
import { MarketStatisticsBoard } from '../../src/replica/market-statistics.ts';
import { OrderSearch } from '../../src/replica/order-search.ts';
import { Replica } from '../../src/replica/replica.ts';
import { singleNodeLog } from '../../src/replica/replica-log.ts';
import { realTimers } from '../../src/replica/timers.ts';
import { createFaults } from '../../src/sandbox/faults/create-faults.ts';
import { sandboxGenesis } from '../../src/sandbox/sandbox.ts';
import { seededBytes } from '../../src/sandbox/seeded-bytes.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { MemoryLog } from '../../src/testing/memory-log.ts';
import { SimulatedStorage } from '../../src/testing/simulated-storage.ts';
import {
  type Credentials,
  generateCredentials,
  hashSecret,
} from '../../src/users/credentials/api-keys.ts';
import type { Mail } from '../../src/users/mail.ts';
import { Users } from '../../src/users/users.ts';
import { checkDescribed } from './described.ts';
import { type SocketResponse, SocketTransport } from './socket-transport.ts';
import { checkWire } from './wire.ts';

/** The seed of the sandbox. */
const SEED = 1;
const SEALING_KEY = { id: 'test', key: new Uint8Array(32).fill(9) };

/** The sandbox in this process, in memory, with its whole HTTP interface. Time stands still. */
export class TestExchange {
  readonly failures: Error[] = [];
  now = Date.UTC(2026, 0, 5, 12);
  /** Whether the machine's clock has jumped. */
  isClockOff = false;
  /** The time of the machine's clock then. */
  wallMs = 0;
  /** Called with the events of commands, in addition to the statistics. */
  onEvents: (events: readonly Event[]) => void = () => {};
  /** Address of the requests. */
  peer = '127.0.0.1';
  /** Sends requests over a socket if they have an operation there. */
  private readonly sockets: SocketTransport | undefined;
  private readonly keys = new Map<string, Credentials>();
  /** Number of alerts added. */
  private alerts = 0;

  private constructor(
    readonly replica: Replica,
    readonly archive: Archive,
    readonly archivist: LocalArchivist,
    private readonly history: History,
    readonly reportDirectory: string,
    readonly gateway: Gateway,
    readonly authorization: Authorization,
    readonly services: Services,
    readonly notifications: Notifications,
    /** Sent mails. */
    readonly mails: readonly Mail[],
    readonly log: MemoryLog,
    streams: Streams | undefined,
    /** The Binance dialect; undefined outside sandboxes. */
    readonly binance: Dialect | undefined,
  ) {
    this.sockets = streams === undefined ? undefined : new SocketTransport(streams);
  }

  /** Whether requests with an operation go over a socket. */
  get isOverSockets(): boolean {
    return this.sockets !== undefined;
  }

  /** Stores an alert of surveillance about alice, as of the last batch. @returns Its id */
  async addAlert(): Promise<string> {
    // In turn with reads, which a commit of history must not overlap.
    await this.archivist.query({ kind: 'save' });
    const { position } = this.archive;
    const place = { sequence: position, index: 0, time: this.now };
    const index = this.alerts++;
    const id = `pump-${position}-${index}-0-1`;
    this.history.addAlert({
      ...{ id, detector: 'pump', market: 0, owners: [this.state.accountsById.get('alice')!.index] },
      ...{ from: place, to: place, figures: { risePercent: 12 } },
      ...{ foundIn: position, foundIndex: index },
    });
    return id;
  }

  static async open(options: TestOptions = {}): Promise<TestExchange> {
    const { rateLimits = 'off', isSandbox = true, trustedProxies = [], canMail = true } = options;
    const { usersUrl = 'sqlite://:memory:', bus } = options;
    const history = await History.open('sqlite://:memory:');
    const storage = new SimulatedStorage();
    await storage.makeDirectory('/snapshots');
    const log = new MemoryLog();
    const snapshots = new SnapshotStore(storage, '/snapshots');
    const directory = mkdtempSync(join(tmpdir(), 'buttonwood-reports-'));
    const reports = new ReportStore(new DiskStorage(false), directory);
    await reports.open();
    const archive = await openFileArchive({
      log,
      snapshots,
      history,
      past: {
        read: (after, through) =>
          [...log.read(after.sequence, after.hash)].slice(0, through - after.sequence),
        snapshots,
        elapsedMs: () => performance.now(),
        ...options.past,
      },
      reports,
      elapsedMs: () => 0,
    });
    const archivist = new LocalArchivist(archive);
    const statistics = new MarketStatisticsBoard();
    const changes = new AccountChanges();
    let exchange: TestExchange | undefined;
    let streams: Streams | undefined;
    let faults: Services['faults'];
    const now = () => exchange?.now ?? Date.UTC(2026, 0, 5, 12);
    const replica = new Replica({
      exchange: new Exchange(),
      log: singleNodeLog(log),
      archivist,
      now,
      timers: realTimers,
      onEvents: (events) => {
        statistics.note(events);
        changes.note(events);
        faults?.note(events);
        exchange?.services.queuePositions.note(events);
        streams?.note(events);
        exchange?.notifications.note(events);
        exchange?.services.outbox.note();
        exchange?.onEvents(events);
      },
      onFailure: (error) => exchange?.failures.push(error),
    });
    await replica.begin();
    const baseUrl = 'http://127.0.0.1:3000';
    const mails: Mail[] = [];
    const users = await Users.open({
      url: usersUrl,
      sendMail: canMail
        ? async (mail) => {
            options.onMail?.(mail);
            mails.push(mail);
          }
        : undefined,
      baseUrl: () => baseUrl,
      now,
      permissions: Permission.read | Permission.trade,
      openAccount: (accountId) => openAccount(replica, accountId),
      // The minimum cost of argon2id.
      cost: { memoryCost: 8, timeCost: 1 },
      bus,
    });
    if (isSandbox) faults = createFaults(replica, now, SEED, () => 1);
    const clock = {
      now,
      get isOff() {
        return exchange?.isClockOff ?? false;
      },
      get wallMs() {
        return exchange?.wallMs ?? now();
      },
      confirm() {
        exchange!.isClockOff = false;
        exchange!.wallMs = now();
      },
    };
    const notifications = new Notifications(
      { replica, archivist, users, clock, now },
      {
        node: 'test',
        contact: 'mailto:operators@localhost',
        rules: { allowed: new AddressList(['127.0.0.0/8']) },
        seal: await users.loadSeal('webhooks'),
        pausesMs: [5],
      },
    );
    const outbox = new CustodyOutbox(
      { replica, users, clock, now },
      {
        ...{ node: 'test', url: options.custodianUrl, pausesMs: [5] },
        ...{ keyNumber: 1, seal: await users.loadSeal('custodian') },
        nextSeal: await users.loadSeal('custodian 2'),
      },
    );
    const services = {
      notifications,
      outbox,
      replica,
      faults,
      archivist,
      orderSearch: new OrderSearch(replica, archivist),
      connections: new ClientConnections({
        ...{ replica, node: 'test', isAlone: true, every: realTimers.every },
      }),
      statistics,
      changes,
      users,
      keyUses: new KeyUseTimes(),
      sealedSecrets: options.hmacKeys === false ? undefined : new SealedSecrets([SEALING_KEY]),
      publicOrderIds: new PublicOrderIds(users.orderIdSecret),
      queuePositions: new QueuePositions(() => replica.exchange),
      bus,
      surveillanceExempt: ['maker'],
      clock,
      now,
      randomBytes: options.hasSeededKeys ? seededBytes(SEED, () => replica.position) : randomBytes,
    };
    await notifications.begin();
    const authorization = new Authorization(services, {
      rateLimits,
      trustedProxies,
      isSandbox,
      baseUrl,
    });
    const binance = isSandbox ? new Dialect(services, authorization) : undefined;
    const gateway = new Gateway(services, authorization, { isSandbox, binance });
    if (process.env.TEST_TRANSPORT === 'socket') streams = new Streams(services, authorization);
    exchange = new TestExchange(
      replica,
      archive,
      archivist,
      history,
      directory,
      gateway,
      authorization,
      services,
      notifications,
      mails,
      log,
      streams,
      binance,
    );
    const { version = ENGINE_VERSION } = options;
    const genesis = sandboxGenesis().map((command) =>
      command.kind === CommandKind.open ? { ...command, version } : command,
    );
    await Promise.all(genesis.map((command) => replica.execute(command)));
    await exchange.addKey('alice', 'alice', ['read', 'trade']);
    await exchange.addKey('bob', 'bob', ['read', 'trade']);
    await exchange.addKey('reader', 'alice', ['read']);
    await exchange.addKey('operator', 'operator', ['operate']);
    return exchange;
  }

  /** Creates a key for requests under `name`. */
  async addKey(
    name: string,
    accountId: string,
    permissions: readonly (keyof typeof Permission)[],
    terms: { addresses?: string[]; expiresAt?: number } = {},
  ): Promise<Credentials> {
    const credentials = generateCredentials(this.services.randomBytes);
    await this.replica.execute({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner: this.replica.exchange.state.accountsById.get(accountId)!.index,
      apiKey: credentials.apiKey,
      secretHash: hashSecret(credentials.apiSecret),
      permissions: permissions.reduce((sum, permission) => sum + Permission[permission], 0),
      label: name,
      addresses: terms.addresses ?? [],
      expiresAt: terms.expiresAt ?? 0,
    });
    this.keys.set(name, credentials);
    this.sockets?.open(name, credentials);
    return credentials;
  }

  /** Headers of a request with the key of that name. */
  headers(name: string): Record<string, string> {
    const { apiKey, apiSecret } = this.keys.get(name)!;
    return { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
  }

  get state(): State {
    return this.replica.exchange.state;
  }

  /**
   * Sends a request with the key of `name`, or without credentials. `body` is sent unchanged. Checks the
   * form of the response.
   */
  async send(
    name: string | undefined,
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent = this.sendOverSocket(name, method, path, body, headers);
    if (sent !== undefined) return sent;
    const request = {
      method,
      headers: {
        ...(name === undefined ? {} : this.headers(name)),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body as string }),
    };
    const peers = { requestIP: () => ({ address: this.peer }) };
    const response = await this.gateway.fetch(
      new Request(`http://127.0.0.1:3000${path}`, request),
      peers,
    );
    const answer = new Answer(response.status, response.headers, await response.text());
    if (/^\/+api/.test(path)) {
      checkWire({ method, ...answer }, this.now);
      checkDescribed({ method, path, body }, { method, ...answer });
    }
    return answer;
  }

  private async toAnswer(sent: Promise<SocketResponse>): Promise<Answer> {
    const { status, headers, text } = await sent;
    return new Answer(status, headers, text);
  }

  private sendOverSocket(
    name: string | undefined,
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> | undefined {
    if (name === undefined || Object.keys(headers).length > 0) return undefined;
    const sent = this.sockets?.send(name, method, path, body);
    return sent === undefined ? undefined : this.toAnswer(sent);
  }

  place(name: string, order: Record<string, unknown> | string): Promise<Answer> {
    const body = typeof order === 'string' ? order : JSON.stringify(order);
    return this.send(name, 'POST', '/api/orders', body);
  }

  /** Blocks durability, with one batch in flight, until the returned function is called. */
  async holdLog(): Promise<() => void> {
    const { log, replica } = this;
    const append = log.append.bind(log);
    const held = Promise.withResolvers<void>();
    const isAppending = Promise.withResolvers<void>();
    log.append = async (...batch) => {
      isAppending.resolve();
      await held.promise;
      return append(...batch);
    };
    void replica.execute({ kind: CommandKind.tick });
    await isAppending.promise;
    return () => {
      log.append = append;
      held.resolve();
    };
  }

  async close(): Promise<void> {
    this.authorization.close();
    await this.services.faults?.close();
    await this.notifications.close();
    await this.services.outbox.close();
    await this.services.users.close();
    await this.replica.close();
    await this.history.close();
    rmSync(this.reportDirectory, { recursive: true });
  }
}

export interface TestOptions {
  readonly rateLimits?: RateLimitMode;
  readonly isSandbox?: boolean;
  readonly trustedProxies?: readonly string[];
  readonly canMail?: boolean;
  /** Called before a mail is sent. Throws if the mail server refuses it. */
  readonly onMail?: (mail: Mail) => void;
  /** The database of users. */
  readonly usersUrl?: string;
  /** Connection to other nodes. */
  readonly bus?: Bus;
  /** Initial engine version. */
  readonly version?: number;
  /** Whether keys follow from a seed, so that two exchanges with the same commands have the same state. */
  readonly hasSeededKeys?: boolean;
  /** The URL of the custodian; without one instructions wait. */
  readonly custodianUrl?: string;
  /** Whether keys may sign with HMAC; by default they may. */
  readonly hmacKeys?: boolean;
  /** Bounds of past states. */
  readonly past?: Partial<PastSource>;
}

/** A parsed response. */
export class Answer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
  ) {}

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  get json(): any {
    return JSON.parse(this.text);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the same
  get data(): any {
    return this.json.data;
  }

  get code(): string {
    return this.json.error?.code;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the same
  get details(): any {
    return this.json.error?.details;
  }
}
