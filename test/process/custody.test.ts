import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssetTotals } from '../../src/client/index.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { freePort } from '../free-ports.ts';
import { CustodianProcess, type CustodianStatus } from './custodian-process.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/**
 * Exchange and custodian as real processes, which are killed while callbacks are lost, repeated and reordered. At the end
 * every coin is accounted for: what the chains hold is what the exchange owes, its fees, and what it did not credit.
 */

setDefaultTimeout(600_000);

const SEED = Number(process.env.CUSTODY_SEED ?? 7);
const STEPS = Number(process.env.CUSTODY_STEPS ?? 40);
const DAY_MS = 86_400_000;
const FAULTS = { lost: 0.3, unanswered: 0.3, duplicated: 0.3, delayed: 0.3 };
const NO_FAULTS = { lost: 0, unanswered: 0, duplicated: 0, delayed: 0, down: false };
/** Amounts are compared in the units of the finest network. */
const UNITS = 1e8;

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
}

const PLACES = [
  { asset: 'BTC', network: 'bitcoin', amounts: [0.00005, 0.1234, 0.75] },
  { asset: 'USDT', network: 'ethereum', amounts: [0.5, 250.25, 25_000] },
  { asset: 'USDT', network: 'ton', amounts: [0.5, 99.5, 25_000] },
] as const;

class World {
  readonly random = seededRandom(SEED);
  readonly directory = temporaryDirectory();
  readonly custodianPort = freePort();
  readonly port = freePort();
  exchange!: ExchangeProcess;
  custodian!: CustodianProcess;
  alice!: Credential;
  treasury!: Credential;
  readonly counts: Record<string, number> = {};

  async open(): Promise<void> {
    await this.startExchange();
    await this.startCustodian();
    await this.operate('POST', '/accounts', { accountId: 'treasury' });
    this.treasury = await this.createKey('treasury', ['operate']);
    this.alice = await this.createWithdrawingKey();
  }

  async startExchange(): Promise<void> {
    this.exchange = await ExchangeProcess.start(this.directory.path, {
      PORT: String(this.port),
      BUTTONWOOD_CLOCK: 'frozen',
      BUTTONWOOD_CUSTODIAN: `http://127.0.0.1:${this.custodianPort}/instructions`,
    });
  }

  async startCustodian(): Promise<void> {
    this.custodian = await CustodianProcess.start(this.directory.path, this.custodianPort);
  }

  async close(): Promise<void> {
    await this.custodian.stop();
    await this.exchange.stop();
    this.directory.remove();
  }

  /** Sends a request, and returns its data; undefined if it was rejected. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  async try(key: Credential, method: string, path: string, body?: object): Promise<any> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { status, json } = await this.exchange.send(key, method, path, text);
    const code = `${status} ${json.error?.code ?? ''}`.trim();
    if (status !== 200) this.counts[code] = (this.counts[code] ?? 0) + 1;
    return json.data;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  async operate(method: string, path: string, body?: object): Promise<any> {
    const key = this.exchange.credential('operator');
    const data = await this.try(key, method, `/api/admin${path}`, body);
    if (data === undefined) throw new Error(`${method} ${path}: ${JSON.stringify(this.counts)}`);
    return data;
  }

  private async createKey(account: string, permissions: string[]): Promise<Credential> {
    const made = await this.operate('POST', `/accounts/${account}/keys`, { permissions });
    return { name: account, permissions, ...made };
  }

  /** Creates a key of alice that withdraws, which only she can do: confirmed by her password. */
  private async createWithdrawingKey(): Promise<Credential> {
    const { users } = JSON.parse(readFileSync(join(this.directory.path, 'sandbox.json'), 'utf8'));
    const { email, password } = users.find((each: { email: string }) => /^alice@/.test(each.email));
    const { baseUrl } = this.exchange;
    const post = (path: string, body: object, cookie = '') =>
      fetch(`${baseUrl}/api/account${path}`, {
        method: 'POST',
        headers: { Origin: baseUrl, Cookie: cookie, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const signedIn = await post('/sign-in', { email, password });
    const [cookie] = signedIn.headers.getSetCookie()[0]!.split(';');
    const permissions = ['read', 'trade', 'withdraw'];
    const terms = { label: 'bot', permissions, addresses: ['127.0.0.1'], password };
    const { data } = (await (await post('/keys', terms, cookie)).json()) as { data: Credential };
    return { ...data, name: 'alice', permissions };
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[below(items.length, this.random)]!;
  }

  async advance(advanceMs: number): Promise<void> {
    const key = this.exchange.credential('operator');
    await this.try(key, 'POST', '/api/sandbox/clock', { advanceMs });
  }
}

const world = new World();
afterAll(() => world.close());

/** The actions that may happen, several times each. */
const ACTIONS: readonly (readonly [weight: number, run: () => Promise<void>])[] = [
  [3, askAddress],
  [8, deposit],
  [
    8,
    async () =>
      void (await world.custodian.send('POST', '/blocks', { count: 1 + below(3, world.random) })),
  ],
  [3, reorganize],
  [6, withdraw],
  [2, approve],
  [
    1,
    async () => {
      await world.exchange.kill();
      await world.startExchange();
    },
  ],
  [
    2,
    async () => {
      await world.custodian.kill();
      await world.startCustodian();
      await world.custodian.send('POST', '/faults', FAULTS);
    },
  ],
  [2, () => world.advance(3_600_000)],
];

async function askAddress(): Promise<void> {
  const { asset, network } = world.pick(PLACES);
  await world.try(world.alice, 'POST', '/api/deposit-addresses', { asset, network });
}

async function deposit(): Promise<void> {
  const { addresses } = await world.custodian.status();
  const place = world.pick(PLACES);
  const own = addresses.find(({ network }) => network === place.network);
  if (own === undefined) return;
  // An unknown memo belongs to no account.
  const memo = own.memo !== '' && world.random() < 0.2 ? '1' : own.memo;
  const { asset, network, amounts } = place;
  const amount = String(world.pick(amounts));
  await world.custodian.send('POST', '/deposits', {
    asset,
    network,
    address: own.address,
    memo,
    amount,
  });
}

async function reorganize(): Promise<void> {
  const { chains, withdrawals } = await world.custodian.status();
  const network = world.pick(Object.keys(chains));
  if (network === undefined) return;
  const ours = new Set(withdrawals.map(({ transaction }) => transaction));
  const foreign = chains[network]!.transactions.map(({ id }) => id).filter((id) => !ours.has(id));
  const drops = world.random() < 0.5 ? foreign.slice(-1) : [];
  const depth = 1 + below(6, world.random);
  await world.custodian.send('POST', '/reorganizations', { network, depth, drops });
}

async function withdraw(): Promise<void> {
  const { asset, network, amounts } = world.pick(PLACES);
  const address = world.pick(['outside1', 'outside2', 'invalid1']);
  const place = { asset, network, address, ...(network === 'ton' ? { memo: '5' } : {}) };
  const added = await world.try(world.alice, 'POST', '/api/withdrawal-addresses', place);
  await world.advance(60_000);
  const addressId = added.address.id;
  const amount = world.pick(amounts);
  await world.try(world.alice, 'POST', '/api/withdrawals', { addressId, amount });
}

async function approve(): Promise<void> {
  const { withdrawals } = (await world.operate('GET', '/withdrawals')) as { withdrawals: Shown[] };
  for (const { id } of withdrawals) {
    const operator = world.exchange.credential('operator');
    if (world.random() < 0.2) {
      await world.try(operator, 'POST', `/api/admin/withdrawals/${id}/reject`, { reason: 'risk' });
      continue;
    }
    for (const key of [operator, world.treasury]) {
      await world.try(key, 'POST', `/api/admin/withdrawals/${id}/approve`, {});
    }
  }
}

/** Sums of all accounts and fees per asset, in units. */
async function owed(): Promise<Map<string, number>> {
  const { assets } = await world.operate('GET', '/state');
  for (const { balances } of assets) expect(balances).toBe(true);
  return new Map(
    assets.map((each: { asset: string; available: number; held: number; fees: number }) => [
      each.asset,
      units(each.available) + units(each.held) + units(each.fees),
    ]),
  );
}

function units(amount: number): number {
  return Math.round(amount * UNITS);
}

/** Waits until nothing is on its way any more. */
async function settle(): Promise<CustodianStatus> {
  await world.custodian.send('POST', '/faults', NO_FAULTS);
  for (;;) {
    await world.custodian.send('POST', '/blocks', { count: 3 });
    await Bun.sleep(300);
    const status = await world.custodian.status();
    const { waiting } = await world.operate('GET', '/custodian');
    const { deposits, withdrawals, wallets } = status;
    const isReported = [...deposits, ...withdrawals, ...wallets].every(
      ({ report, accepted }) => report === accepted,
    );
    const isKnown = status.addresses.every((each) => each.isReported);
    const transactions = Object.values(status.chains).flatMap((chain) =>
      chain.transactions.map((each) => ({ ...each, height: chain.height })),
    );
    const isFinal = transactions.every(
      ({ block, isDropped, height }) => isDropped || (block !== null && height - block >= 8),
    );
    if (waiting === 0 && isReported && isKnown && isFinal) return status;
  }
}

/** Decides on everything that waits for an operator. */
async function decide(): Promise<void> {
  for (let left = 3; left > 0; left--) {
    await approve();
    await settle();
  }
  const { deposits } = (await world.operate('GET', '/deposits')) as { deposits: Shown[] };
  for (const { id, status } of deposits) {
    const resolution = status === 'frozen' ? 'debit' : 'dismiss';
    await world.operate('POST', `/deposits/${id}/resolve`, { resolution });
  }
}

test(`no coin is lost or made (CUSTODY_SEED=${SEED})`, async () => {
  await world.open();
  const before = await owed();
  for (const { asset, network } of PLACES) {
    await world.try(world.alice, 'POST', '/api/deposit-addresses', { asset, network });
  }
  await world.custodian.send('POST', '/faults', FAULTS);
  const total = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);
  for (let step = 0; step < STEPS; step++) {
    let at = below(total, world.random);
    const [, run] = ACTIONS.find(([weight]) => {
      at -= weight;
      return at < 0;
    })!;
    await run();
    await Bun.sleep(below(300, world.random));
  }
  await decide();
  const { chains, addresses, wallets } = await settle();
  const after = await owed();
  const { held, uncredited, count } = sumChains(chains, addresses);
  expect(count).toBeGreaterThan(5);
  for (const asset of ['BTC', 'USDT']) {
    const change = after.get(asset)! - before.get(asset)!;
    expect([asset, change + (uncredited.get(asset) ?? 0)]).toEqual([asset, held.get(asset) ?? 0]);
  }
  const { assets } = (await world.operate('GET', '/state')) as { assets: AssetTotals[] };
  for (const { asset, holdings, inFlight, covered } of assets) {
    const own = wallets.filter((each) => each.asset === asset);
    if (own.length === 0) {
      expect([asset, holdings, covered]).toEqual([asset, null, null]);
      continue;
    }
    const reserve = own.reduce((sum, each) => sum + units(Number(each.reserve)), 0);
    const reported = [asset, units(holdings!), inFlight, covered];
    expect(reported).toEqual([asset, reserve + (held.get(asset) ?? 0), 0, true]);
  }
});

/** Sums what the custodian holds, and what of it belongs to no account: too small deposits, and those with other memos. */
function sumChains(chains: CustodianStatus['chains'], addresses: CustodianStatus['addresses']) {
  const held = new Map<string, number>();
  const uncredited = new Map<string, number>();
  let count = 0;
  for (const [network, { transactions }] of Object.entries(chains)) {
    for (const { asset, payments, isDropped } of transactions) {
      if (isDropped) continue;
      count++;
      const [{ address, memo, amount }] = payments as [(typeof payments)[0]];
      const own = addresses.filter((each) => each.address === address);
      const value = units(Number(amount));
      add(held, asset, own.length > 0 ? value : -value);
      const place = PLACES.find((each) => each.asset === asset && each.network === network)!;
      const isCredited = own.some((each) => each.memo === memo) && value > units(place.amounts[0]);
      if (own.length > 0 && !isCredited) add(uncredited, asset, value);
    }
  }
  return { held, uncredited, count };
}

function add(sums: Map<string, number>, asset: string, amount: number): void {
  sums.set(asset, (sums.get(asset) ?? 0) + amount);
}

test('a custodian that is down for a day gets everything in order afterwards', async () => {
  await world.custodian.send('POST', '/faults', { ...NO_FAULTS, down: true });
  const known = (await world.custodian.status()).instructions.length;
  const before = await owed();
  await world.advance(DAY_MS);
  const [{ asset, network }] = PLACES;
  const place = { asset, network, address: 'outside3' };
  const added = await world.try(world.alice, 'POST', '/api/withdrawal-addresses', place);
  await world.advance(60_000);
  for (let each = 0; each < 5; each++) {
    const body = { addressId: added.address.id, amount: 0.01, clientId: `day-${each}` };
    await world.try(world.alice, 'POST', '/api/withdrawals', body);
  }
  await world.advance(DAY_MS);
  await world.exchange.kill();
  await world.startExchange();
  const status = await world.operate('GET', '/custodian');
  expect(status.waiting).toBe(5);
  expect(status.oldestMs).toBeGreaterThanOrEqual(DAY_MS);
  const { instructions } = await settle();
  expect(instructions.length).toBe(known + 5);
  const after = await owed();
  expect(before.get(asset)! - after.get(asset)!).toBe(units(5 * 0.01));
});
