import { auditState } from '../../src/engine/audit/audit.ts';
import { CommandKind } from '../../src/engine/command.ts';
import type { RateLimitMode } from '../../src/gateway/limits/rate-limit.ts';
import { MAX_COMMAND_BYTES } from '../../src/log/codec.ts';
import type { Replica } from '../../src/replica/replica.ts';
import { below, type Random } from '../../src/storage/seeded-random.ts';
import { encode } from '../../src/testing/test-exchange.ts';
import { TestExchange } from '../http/exchange.ts';
import { newKeyPair, signedHeaders } from '../http/signing.ts';
import { checkAnswer } from './expectations.ts';
import { Prepared } from './prepared.ts';
import type { Actor, FuzzRequest, Given } from './request.ts';
import type { Known } from './schema.ts';
import { FuzzUsers, HOST } from './users.ts';

const SYMBOLS = ['"BTC/USDT"', '"BTC/USDT"', '"ETH/USDT"', '"ETH/BTC"', '"SOL/USDT"'];
const AMOUNTS = ['0.01', '1e-3', '0.5', '1', '0.00000001', '3.00', '250', '1e7'];
const PRICES = ['118000', '117999.99', '1.18e5', '5200', '0.044', '260', '0.01', '1e9', '45000'];
/** Values that are likely to be valid, by the name of the field or parameter. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  symbol: SYMBOLS,
  amount: AMOUNTS,
  price: PRICES,
  triggerPrice: PRICES,
  cost: ['100', '0.5', '1e4', '1e9'],
  asset: ['"BTC"', '"USDT"', '"ETH"', '"SOL"'],
  account: ['"alice"', '"bob"', '"operator"'],
  permissions: ['"read"', '"trade"'],
  since: ['"2026-01-05T00:00:00.000Z"', '"1767614400000"', '"0"'],
  until: ['"2126-01-05T00:00:00.000Z"', '"1767614400000"'],
  expiresAt: ['"2126-01-05T12:00:00Z"', '4923000000000', 'null'],
  limit: ['1', '10', '1000'],
  depth: ['1', '10', '1000'],
  sort: ['"asc"', '"desc"'],
  status: ['"online"', '"online"', '"post_only"', '"limit_only"', '"halted"', '"open"', '"closed"'],
  makerFee: ['0', '0.0005'],
  takerFee: ['0.0005', '0.001'],
  timeout: ['0', '1', '60'],
  preview: ['"true"', '"false"'],
  reason: ['"fuzz"'],
  frozen: ['false'],
};
const LISTED = ['BTC/USDT', 'ETH/USDT', 'ETH/BTC', 'SOL/USDT'];
/** Operations that may sign the user out or change the password. */
const ENDS_USER: ReadonlySet<string> = new Set([
  'changePassword',
  'confirmEmailChange',
  'confirmPasswordReset',
  'confirmSecondFactor',
  'removeSecondFactor',
  'renewRecoveryCodes',
  'signOut',
  'endSession',
  'signIn',
  'signInByPasskey',
  'verifyEmail',
]);
const REVOKES_KEY: ReadonlySet<string> = new Set(['revokeKey', 'revokeOwnKey']);
const KEPT_ERRORS = 8;
const MAX_IDS = 1000;

/** An exchange, its senders, and the ids that they have learned. */
export class World {
  readonly users: FuzzUsers;
  private readonly prepared: Prepared;
  private readonly cursors: string[] = [];
  private readonly apiKeys: string[] = [];
  private readonly errors: string[] = [];
  private readonly pair = newKeyPair();
  private signingKey = '';

  private constructor(
    readonly exchange: TestExchange,
    private readonly random: Random,
    private readonly logged: typeof console.error,
  ) {
    this.users = new FuzzUsers(exchange, (ms) => this.pass(ms));
    this.prepared = new Prepared(exchange, this.users, newKeyPair());
  }

  static async open(random: Random, rateLimits: RateLimitMode): Promise<World> {
    const logged = console.error;
    const exchange = await TestExchange.open({ rateLimits });
    checkCommands(exchange.replica);
    const world = new World(exchange, random, logged);
    await world.addSigningKey();
    // A logged error is a failure of the exchange, except a slow request, which a busy machine causes.
    console.error = (...args: unknown[]) => {
      const line = args.map(String).join(' ');
      const isKept = world.errors.length < KEPT_ERRORS && !line.startsWith('slow request ');
      if (isKept) world.errors.push(line);
    };
    return world;
  }

  readonly known: Known = (name) => {
    const own = KNOWN[name];
    if (own !== undefined) return own;
    if (name === 'orderId') return [this.orderId(), this.orderId()];
    if (name === 'ids') return [this.orderId(), this.manyIds()];
    if (name === 'cursor') return this.cursors;
    if (name === 'apiKey') return this.apiKeys;
    if (name === 'clientOrderId') return [`"id-${this.below(40)}"`];
    if (name === 'accountId') return [`"a${this.below(30)}"`, '"alice"'];
    if (name === 'reference') return [`"t${this.below(200)}"`];
    return [];
  };

  /** Returns the values that an operation needs in addition to its grammar and `known`. */
  async given(operation: string): Promise<Given> {
    const { exchange } = this;
    if (operation === 'revokeKey' || operation === 'changeKey') {
      const path = '/api/admin/accounts/bob/keys';
      const made = await exchange.send('operator', 'POST', path, '{"permissions":["read"]}');
      // The account may have as many keys as it can.
      const apiKey =
        made.data?.apiKey ?? (await exchange.send('operator', 'GET', path)).data.keys[0].apiKey;
      if (operation === 'revokeKey') return { path: { id: 'bob', apiKey } };
      return { path: { id: 'bob', apiKey }, body: { addresses: '["127.0.0.1"]' } };
    }
    if (operation === 'changeAccount' && this.below(3) === 0) {
      const only = { feeTier: 'null', limitClass: 'null' };
      return { path: { id: 'alice' }, body: { ...only, frozen: 'true' } };
    }
    if (operation === 'createKey') {
      return { body: { permissions: '["read"]', expiresAt: 'null', addresses: 'null' } };
    }
    // Requests that follow must be answered: only messages of streams have faults.
    if (operation === 'addFaults') return { body: { faults: '[{"kind":"stream_gap"}]' } };
    if (operation === 'createAsset') return { body: { asset: `"Q${this.below(10_000)}"` } };
    if (operation === 'createAccount') return { body: { accountId: `"n${this.below(10_000)}"` } };
    if (operation === 'listMarket') return { body: await this.newMarket() };
    if (operation.endsWith('Order') && operation !== 'placeOrder') return this.ownOrder();
    return (await this.prepared.given(operation)) ?? this.users.given(operation);
  }

  /** Sends a request and checks the answer. @returns Undefined if the runtime cannot send it. */
  async send(request: FuzzRequest): Promise<{ status: number; code: string } | undefined> {
    const { exchange } = this;
    const { operation, actor, path, headers, body } = request;
    const own = await this.credentials(actor);
    let made: Request;
    try {
      made = new Request(`http://127.0.0.1:3000${path}`, {
        method: request.method,
        headers: { ...own, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
    const { method } = made;
    if (actor === 'signer') this.sign(made, headers, body);
    if (actor === 'custodian') this.signReport(made, headers, body);
    exchange.peer = `10.${this.below(256)}.${this.below(256)}.${this.below(256)}`;
    await this.settle();
    const { digest, signatures } = exchange.state;
    const newestUsed = [...signatures.all()].at(-1);
    const response = await exchange.gateway.fetch(made, {
      requestIP: () => ({ address: exchange.peer }),
    });
    const text = await response.text();
    const { status } = response;
    const { pathname, search } = new URL(made.url);
    checkAnswer({
      operation,
      method,
      path: pathname + search,
      body,
      response: { method, status, headers: response.headers, text },
      nowMs: exchange.now,
      // A signed request is used before it is carried out, also if it is then rejected.
      before: digest,
      after: newestUsed === [...signatures.all()].at(-1) ? exchange.state.digest : digest,
      secrets: listSecrets(own),
    });
    if (this.errors.length > 0) throw new Error(`logged: ${this.errors.join('; ')}`);
    if (exchange.failures.length > 0) throw exchange.failures[0]!;
    this.learn(request, status, text);
    if (status === 200 && REVOKES_KEY.has(operation)) await this.addKeys();
    const isSuccess = status === 200 || status === 202;
    const code = isSuccess ? '' : (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? `${status}`);
    return { status, code };
  }

  /** Waits until no work is left for further portions, which would change the state without a request. */
  private async settle(): Promise<void> {
    const { replica, state } = this.exchange;
    while (replica.exchange.nextDueTime <= state.time) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Advances the time and reopens what an operator's requests may have closed. */
  async refresh(ms: number): Promise<void> {
    const { exchange } = this;
    await this.pass(ms);
    for (const symbol of LISTED) {
      const body = JSON.stringify({ symbol, status: 'online' });
      await exchange.send('operator', 'PATCH', '/api/admin/markets', body);
    }
    for (const account of ['alice', 'bob', 'operator']) {
      for (const body of ['{"frozen":false}', '{"limitClass":1}']) {
        await exchange.send('operator', 'PATCH', `/api/admin/accounts/${account}`, body);
      }
    }
    auditState(exchange.state);
  }

  /** Runs due work now instead of with the next command. */
  private async pass(ms: number): Promise<void> {
    this.exchange.now += ms;
    await this.exchange.replica.execute({ kind: CommandKind.tick });
  }

  /** Creates new keys, because requests may have revoked the old ones. */
  private async addKeys(): Promise<void> {
    const { exchange } = this;
    await exchange.addKey('alice', 'alice', ['read', 'trade']);
    await exchange.addKey('bob', 'bob', ['read', 'trade']);
    await exchange.addKey('reader', 'alice', ['read']);
    await exchange.addKey('operator', 'operator', ['operate']);
    await this.addSigningKey();
  }

  private async addSigningKey(): Promise<void> {
    const { exchange } = this;
    if (exchange.state.keysByApiKey.get(this.signingKey)?.revokedAt === 0) return;
    const terms = { permissions: ['read', 'trade'], publicKey: this.pair.publicBase64 };
    const path = '/api/admin/accounts/alice/keys';
    const made = await exchange.send('operator', 'POST', path, JSON.stringify(terms));
    this.signingKey = made.data.key.apiKey;
  }

  async close(): Promise<void> {
    console.error = this.logged;
    auditState(this.exchange.state);
    await this.exchange.close();
  }

  private below(limit: number): number {
    return below(limit, this.random);
  }

  private async credentials(actor: Actor): Promise<Record<string, string>> {
    if (actor === 'anonymous' || actor === 'signer' || actor === 'custodian') return {};
    if (actor === 'wrongSecret') {
      const own = this.exchange.headers('alice');
      return { ...own, 'X-API-Secret': this.exchange.headers('bob')['X-API-Secret']! };
    }
    if (actor !== 'carol' && actor !== 'boss') return this.exchange.headers(actor);
    const { cookies } = await this.users.browser(actor);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { Cookie: cookie, Host: HOST, Origin: `http://${HOST}` };
  }

  /** Signs a request of the signer, except for headers that it sends anyway. */
  private sign(made: Request, headers: FuzzRequest['headers'], body: Uint8Array | undefined): void {
    const hasBody = made.method === 'POST' || made.method === 'PATCH';
    const signed = signedHeaders({
      ...{ apiKey: this.signingKey, privateKey: this.pair.privateKey, method: made.method },
      target: made.url.slice('http://127.0.0.1:3000'.length),
      timestamp: this.exchange.now,
      ...(hasBody && body !== undefined && { body }),
    });
    for (const [name, value] of Object.entries(signed)) {
      if (!(name in headers)) made.headers.set(name, value);
    }
  }

  /** Signs a request of the custodian, except for headers that it sends anyway. */
  private signReport(
    made: Request,
    headers: FuzzRequest['headers'],
    body: Uint8Array | undefined,
  ): void {
    const target = made.url.slice('http://127.0.0.1:3000'.length);
    const signed = this.prepared.sign(target, body ?? new Uint8Array());
    for (const [name, value] of Object.entries(signed)) {
      if (!(name in headers)) made.headers.set(name, value);
    }
  }

  private learn({ operation, actor, headers }: FuzzRequest, status: number, text: string): void {
    const isUser = actor === 'carol' || actor === 'boss';
    const isOut = status === 401 || status === 429 || ENDS_USER.has(operation);
    const isOwn = headers.Cookie === undefined && headers.Authorization === undefined;
    if (isUser && isOut && isOwn) this.users.renew(actor);
    else if (status === 200 && ENDS_USER.has(operation)) this.users.renew('carol');
    if (status === 200 && (operation === 'inviteUser' || operation === 'removeUser')) {
      this.users.renew('boss');
    }
    keep(this.cursors, /"nextCursor":"([^"]+)"/.exec(text)?.[1]);
    keep(this.apiKeys, /"apiKey":"(bwk_[^"]+)"/.exec(text)?.[1]);
  }

  private orderId(): string {
    return `"${1 + this.below(this.exchange.state.nextOrderId)}"`;
  }

  /** Returns the maximum number of ids of a request, some of them repeated. */
  private manyIds(): string {
    const ids = Array.from({ length: MAX_IDS }, () => JSON.parse(this.orderId()));
    return JSON.stringify(ids.join(','));
  }

  /** Places an order of alice and returns its id. */
  private async ownOrder(): Promise<Given> {
    const price = 30_000 + this.below(1000);
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price };
    const { status, data } = await this.exchange.place('alice', order);
    return status === 200 ? { path: { id: data.orderId } } : {};
  }

  private async newMarket(): Promise<Record<string, string>> {
    const asset = `M${this.below(100_000)}`;
    const body = JSON.stringify({ asset, name: asset, decimals: 10 });
    await this.exchange.send('operator', 'POST', '/api/admin/assets', body);
    return { symbol: `"${asset}/USDT"` };
  }
}

/** Checks that a command fits into every log and repeats no id. */
function checkCommands(replica: Replica): void {
  const submit = replica.submit.bind(replica);
  replica.submit = (command, ...callbacks) => {
    const bytes = encode([command]).length;
    if (bytes > MAX_COMMAND_BYTES) throw new Error(`a request led to a command of ${bytes} bytes`);
    const ids = 'orderIds' in command ? (command.orderIds ?? []) : [];
    if (new Set(ids).size < ids.length) throw new Error('a command names an order twice');
    submit(command, ...callbacks);
  };
}

function listSecrets(own: Record<string, string>): readonly string[] {
  const cookie = /__Host-buttonwood=([^;]+)/.exec(own.Cookie ?? '')?.[1];
  return [own['X-API-Secret'], cookie].filter((secret) => secret !== undefined);
}

function keep(list: string[], value: string | undefined): void {
  if (value === undefined) return;
  if (list.length >= 16) list.shift();
  list.push(JSON.stringify(value));
}
