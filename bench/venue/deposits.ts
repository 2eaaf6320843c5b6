/**
 * Deposit callbacks of a custodian at a steady rate: signed requests over keep-alive connections, each about another
 * transaction, which the node credits at once. Before, the node has credited more than it remembers, so that it looks up every
 * one of them in history. In the end the balances must have exactly the sum of what was answered with success.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { append } from '../pauses/fill.ts';
import { Processes, round } from '../rest/processes.ts';

const PORT = 4312;
const CONNECTIONS = 100;
const ACCOUNTS = ['alice', 'bob'];
/** A callback credits so much BTC. */
const AMOUNT = 0.001;
/** Callbacks that credit one BTC. */
const PER_COIN = 1000;
/** The longest receive window: requests are signed before the run. */
const RECV_WINDOW_MS = 60_000;
/** The open loop offers for two seconds before it counts. */
const WARM_UP_SECONDS = 2;
const PLACE = { asset: 'BTC', network: 'bitcoin' };
const NETWORK = {
  ...{ ...PLACE, decimals: 8, minDeposit: 0, minWithdrawal: 0.001, withdrawalFee: 0 },
  ...{ confirmations: 1, memo: 'none', deposits: true, withdrawals: true, dailyLimit: 0 },
  ...{ hourlyCount: 0, addressCoolingMs: 0, newDeviceDelayMs: 0, approvalAbove: 0 },
};

export interface DepositOptions {
  readonly perSecond: number;
  readonly seconds: number;
  /** Deposits that the node has credited before. */
  readonly before: number;
}

interface Sandbox {
  readonly accounts: readonly Credentials[];
}

interface Credentials {
  readonly name: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Runs the bench. @returns Its figures. */
export async function benchDeposits({ perSecond, seconds, before }: DepositOptions) {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-deposits-'));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const first = new Processes();
  let processes = first;
  try {
    let { accounts } = (await first.serveSandbox(PORT, directory, 'off')) as Sandbox;
    const operator = accounts.find(({ name }) => name === 'operator')!;
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    await call(operator, 'POST', '/api/admin/custodian-key', { publicKey: pem });
    await call(operator, 'POST', '/api/admin/networks', NETWORK);
    const signed = (path: string, body: object) => signedRequest(privateKey, path, body);
    for (const account of ACCOUNTS) {
      const response = await fetch(`http://127.0.0.1:${PORT}/api/custody/addresses`, {
        method: 'POST',
        ...signed('/api/custody/addresses', { ...PLACE, account, address: `address-${account}` }),
      });
      if (!response.ok) throw new Error(await response.text());
    }
    await first.end();
    await append(join(directory, 'data'), () => pastDeposits(before));
    processes = new Processes();
    ({ accounts } = (await processes.serveSandbox(PORT, directory, 'off')) as Sandbox);
    // An account may have several keys.
    const owners = ACCOUNTS.map((each) => accounts.find(({ name }) => name === each)!);
    const balance = async () => (await Promise.all(owners.map(readCoins))).reduce(add);
    const balanceBefore = await balance();
    const count = Math.ceil(perSecond * (seconds + WARM_UP_SECONDS) * 1.1);
    const requests = Array.from({ length: count }, (_, place) => {
      const { headers, body } = signed('/api/custody/deposits', payment(place));
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return (
        `POST /api/custody/deposits HTTP/1.1\r\nHost: 127.0.0.1:${PORT}\r\n${lines.join('')}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
      );
    });
    const path = join(directory, 'requests.json');
    await Bun.write(path, JSON.stringify(requests));
    const cpuBefore = processes.cpuMs;
    const load = await processes.offer(PORT, path, perSecond, seconds, CONNECTIONS);
    const cpuMs = processes.cpuMs - cpuBefore;
    const credited = Math.round(((await balance()) - balanceBefore) * PER_COIN);
    const answered = load.statuses['200'] ?? 0;
    if (credited < answered) {
      throw new Error(`${answered} callbacks were accepted, and ${credited} credited`);
    }
    return {
      ...load,
      before,
      credited,
      cpuMsPerCallback: round(cpuMs / credited),
      loadAverage: round(loadavg()[0]!),
    };
  } finally {
    await processes.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Makes deposits that the custodian reported before. */
function* pastDeposits(count: number): Generator<Command> {
  for (let place = 0; place < count; place++) {
    const { transaction, address } = payment(-1 - place);
    yield {
      ...{ kind: CommandKind.reportDeposit, ...SYSTEM_ACTOR, keyNumber: 0, network: 0 },
      ...{ transaction, index: 0, address, memo: '', amount: 10_000_000n, confirmations: 1 },
      ...{ report: 1, reorganized: false, searchedBelow: Number.MAX_SAFE_INTEGER },
    };
  }
}

function payment(place: number) {
  const address = `address-${ACCOUNTS[Math.abs(place) % ACCOUNTS.length]}`;
  const transaction = Bun.hash(`${place}`).toString(16).padStart(64, '0');
  return { ...PLACE, transaction, index: 0, address, amount: AMOUNT, confirmations: 1, report: 1 };
}

/** Signs a request of the custodian, as docs/trading/signing.md says. */
function signedRequest(privateKey: KeyObject, path: string, content: object) {
  const body = JSON.stringify(content);
  const timestamp = `${Date.now()}`;
  const lines = ['buttonwood-v1', 'POST', path, 'custodian', timestamp, RECV_WINDOW_MS, body];
  const signature = sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64');
  const headers = {
    'Content-Type': 'application/json',
    'X-API-Timestamp': timestamp,
    'X-API-Recv-Window': `${RECV_WINDOW_MS}`,
    'X-API-Signature': signature,
  };
  return { headers, body };
}

async function readCoins(account: Credentials): Promise<number> {
  const { balances } = await call(account, 'GET', '/api/portfolio/balances');
  return balances!.find(({ asset }) => asset === PLACE.asset)?.total ?? 0;
}

async function call(
  { apiKey, apiSecret }: Credentials,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly balances?: readonly { asset: string; total: number }[] }> {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'X-API-Secret': apiSecret,
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return ((await response.json()) as { data: object }).data;
}

function add(a: number, b: number): number {
  return a + b;
}
