import { createPublicKey } from 'node:crypto';
import type { Page } from 'playwright-core';
import { fixedPrivateKey, signature } from '../../http/signing.ts';
import type { Site } from '../site.ts';

/** Fee tiers, sub-accounts of bob, and deposits and withdrawals of alice, reported by a custodian whose key, addresses and transactions are always the same. */

const HOUR_MS = 3_600_000;
const PRIVATE_KEY = fixedPrivateKey(7);

const LIMITS = { deposits: true, withdrawals: true, hourlyCount: 20, memo: 'none' };
const WAITS = { addressCoolingMs: 24 * HOUR_MS, newDeviceDelayMs: 0 };
const NETWORKS = [
  {
    ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, confirmations: 3, ...LIMITS, ...WAITS },
    ...{ minDeposit: 0.0001, minWithdrawal: 0.0005, withdrawalFee: 0.0001 },
    ...{ dailyLimit: 5, approvalAbove: 0.5 },
  },
  {
    ...{ asset: 'USDT', network: 'ethereum', decimals: 6, confirmations: 6, ...LIMITS, ...WAITS },
    ...{ minDeposit: 1, minWithdrawal: 10, withdrawalFee: 3 },
    ...{ dailyLimit: 200_000, approvalAbove: 20_000 },
  },
];

const FEE_TIERS = {
  asset: 'USDT',
  tiers: [
    { minVolume: 50_000, makerFee: 0.0006, takerFee: 0.0009 },
    { minVolume: 250_000, makerFee: 0.0004, takerFee: 0.0008 },
    { minVolume: 1_000_000, makerFee: 0.0002, takerFee: 0.0006 },
    { minVolume: 10_000_000, makerFee: 0, takerFee: 0.0004 },
  ],
  reason: 'Launch',
};

const BITCOIN = { asset: 'BTC', network: 'bitcoin' };
const ETHEREUM = { asset: 'USDT', network: 'ethereum' };
const DEPOSIT_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const TETHER_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

const OTHER_ADDRESS = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const SLOW_MS = HOUR_MS / 2;

/** The time by which `preparePayments` advances the clock. */
export const PAYMENTS_MS = 26 * HOUR_MS;

/** Sets fee tiers, deposits and withdraws as alice in many ways, and names her addresses. */
export async function preparePayments(site: Site): Promise<void> {
  const publicKey = createPublicKey(PRIVATE_KEY).export({ format: 'pem', type: 'spki' });
  await operate(site, '/admin/custodian-key', { publicKey });
  await operate(site, '/admin/fee-tiers', FEE_TIERS);
  for (const network of NETWORKS) await operate(site, '/admin/networks', network);
  for (const [place, address] of [
    [BITCOIN, DEPOSIT_ADDRESS],
    [ETHEREUM, TETHER_ADDRESS],
  ] as const) {
    await report(site, '/addresses', { ...place, account: 'alice', address });
  }
  await deposit(site, { ...BITCOIN, address: DEPOSIT_ADDRESS, amount: 2.5 }, 3);
  const page = await site.open({ as: 'alice' });
  await page.goto('/robots.txt');
  const ledger = await addAddress(site, page, BITCOIN, ADDRESSES.ledger, 'Ledger');
  const cold = await addAddress(site, page, ETHEREUM, ADDRESSES.cold, 'Cold wallet');
  await addAddress(site, page, BITCOIN, ADDRESSES.unnamed, '');
  await advance(site, 24 * HOUR_MS);
  await deposit(site, { ...ETHEREUM, address: TETHER_ADDRESS, amount: 12_000 }, 6);
  await deposit(site, { ...ETHEREUM, address: TETHER_ADDRESS, amount: 0.4 }, 6);
  await pay(site, await withdraw(site, page, ledger, 0.2), 'confirmed');
  await fail(site, await withdraw(site, page, cold, 750), 'The network rejected the payment');
  await depositSlowly(site);
  await advance(site, HOUR_MS - SLOW_MS);
  const canceled = await withdraw(site, page, ledger, 1.25);
  await sendAsUser(site, page, 'DELETE', `/withdrawals/${canceled}`);
  await pay(site, await withdraw(site, page, cold, 2_400.5), 'broadcast');
  await withdraw(site, page, ledger, 0.75);
  await advance(site, HOUR_MS);
  await deposit(site, { ...BITCOIN, address: DEPOSIT_ADDRESS, amount: 0.125 }, 1);
  await addAddress(site, page, BITCOIN, ADDRESSES.phone, 'Phone');
  await reportHoldings(site);
  const { notices } = await sendAsUser(site, page, 'GET', '/notices');
  await sendAsUser(site, page, 'POST', '/notices/read', { upTo: notices[0].id });
  await page.context().close();
}

interface SubAccounts {
  /** The ids of the sub-accounts, which differ in every run. */
  readonly ids: readonly string[];
  /** Moves money again, for transfers of another day. */
  readonly transferAgain: () => Promise<void>;
}

/** Creates sub-accounts of bob, and moves money between them. */
export async function prepareSubAccounts(site: Site): Promise<SubAccounts> {
  const page = await site.open({ as: 'bob' });
  await page.goto('/robots.txt');
  const create = async (name: string): Promise<string> =>
    (await sendAsUser(site, page, 'POST', '/accounts', { name })).account.accountId;
  const move = (from: string, to: string, asset: string, amount: number) =>
    sendAsUser(site, page, 'POST', '/transfers', { from, to, asset, amount });
  const grid = await create('Grid bot');
  const savings = await create('Savings');
  await move('bob', grid, 'USDT', 25_000);
  await move('bob', savings, 'BTC', 4);
  const transferAgain = async () => {
    await move('bob', grid, 'BTC', 0.75);
    await move(savings, 'bob', 'BTC', 1.5);
    await move('bob', savings, 'USDT', 1_250);
    await page.context().close();
  };
  return { ids: [grid, savings], transferAgain };
}

const ADDRESSES = {
  ledger: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  unnamed: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  phone: 'bc1pxwww0ct9ue7e8tdnlmug5m2tamfn7q06sahstg39ys4c9f3340qqxrdu9k',
  cold: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
};

/** Number of the payments so far, in their transaction ids. */
let payments = 0;

function nextTransaction(): string {
  return new Bun.CryptoHasher('sha256').update(`payment ${payments++}`).digest('hex');
}

async function deposit(site: Site, payment: object, confirmations: number): Promise<void> {
  const terms = { transaction: nextTransaction(), index: 0, confirmations, report: 1 };
  await report(site, '/deposits', { ...payment, ...terms });
}

/** Credits deposits of bob half an hour after they were seen, which the page Deposit shows as the usual time. */
async function depositSlowly(site: Site): Promise<void> {
  await report(site, '/addresses', { ...BITCOIN, account: 'bob', address: OTHER_ADDRESS });
  const payments = [0.05, 0.2, 0.08].map((amount) => ({
    ...{ ...BITCOIN, address: OTHER_ADDRESS, amount, index: 0 },
    transaction: nextTransaction(),
  }));
  for (const each of payments) {
    await report(site, '/deposits', { ...each, confirmations: 0, report: 1 });
  }
  await advance(site, SLOW_MS);
  for (const each of payments) {
    await report(site, '/deposits', { ...each, confirmations: 3, report: 2 });
  }
}

async function addAddress(
  site: Site,
  page: Page,
  place: object,
  address: string,
  label: string,
): Promise<string> {
  const password = site.readPassword('alice');
  const body = { ...place, address, label, password };
  return (await sendAsUser(site, page, 'POST', '/withdrawal-addresses', body)).address.id;
}

/** Reports a little more than the exchange owes of both assets. */
async function reportHoldings(site: Site): Promise<void> {
  const { json } = await site.send('operator', 'GET', '/api/admin/state');
  const assets: { asset: string; liabilities: number }[] = json.data.assets;
  for (const place of [BITCOIN, ETHEREUM]) {
    const { liabilities } = assets.find(({ asset }) => asset === place.asset)!;
    const amount = Math.ceil(liabilities * 1.0042);
    await report(site, '/holdings', { ...place, amount, report: 1 });
  }
}

/** @returns the id of the withdrawal */
async function withdraw(
  site: Site,
  page: Page,
  addressId: string,
  amount: number,
): Promise<string> {
  const body = { addressId, amount, password: site.readPassword('alice') };
  return (await sendAsUser(site, page, 'POST', '/withdrawals', body)).withdrawal.id;
}

async function pay(site: Site, id: string, status: 'broadcast' | 'confirmed'): Promise<void> {
  const progress = { withdrawal: Number(id), status, transaction: nextTransaction(), report: 1 };
  await report(site, '/withdrawals', progress);
}

async function fail(site: Site, id: string, reason: string): Promise<void> {
  const progress = { withdrawal: Number(id), status: 'failed', reason, report: 1 };
  await report(site, '/withdrawals', progress);
}

async function advance(site: Site, advanceMs: number): Promise<void> {
  await operate(site, '/sandbox/clock', { advanceMs });
}

async function operate(site: Site, path: string, body: object): Promise<void> {
  const { status, json } = await site.send('operator', 'POST', `/api${path}`, body);
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(json)}`);
}

/** Sends a request of the browser's session. @returns its data */
export async function sendAsUser(
  site: Site,
  page: Page,
  method: string,
  path: string,
  body?: object,
) {
  const init = { method, headers: { 'Content-Type': 'application/json' } };
  const options = JSON.stringify(
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  const url = JSON.stringify(`${site.baseUrl}/api${path}`);
  // biome-ignore lint/suspicious/noExplicitAny: the response
  const answer: any = await page.evaluate(`fetch(${url}, ${options}).then((each) => each.json())`);
  if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** Sends a signed report of the custodian. */
async function report(site: Site, path: string, body: object): Promise<void> {
  const target = `/api/custody${path}`;
  const text = JSON.stringify(body);
  const clock = await site.send('operator', 'GET', '/api/sandbox/clock');
  const timestamp = Date.parse(clock.json.data.timestamp);
  const terms = { apiKey: 'custodian', privateKey: PRIVATE_KEY, method: 'POST', target, timestamp };
  const response = await fetch(site.baseUrl + target, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Timestamp': `${timestamp}`,
      'X-API-Signature': signature({ ...terms, body: text }),
    },
    body: text,
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}
