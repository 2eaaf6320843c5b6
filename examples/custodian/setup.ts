import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { publicKeyText } from './signature.ts';

/** The networks of a sandbox. They are added only if it has none. */
const limits = {
  ...{ deposits: true, withdrawals: true, hourlyCount: 20 },
  ...{ addressCoolingMs: 60_000, newDeviceDelayMs: 0 },
};
const NETWORKS = [
  {
    ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, confirmations: 3, memo: 'none', ...limits },
    ...{ minDeposit: 0.0001, minWithdrawal: 0.0005, withdrawalFee: 0.0001 },
    ...{ dailyLimit: 5, approvalAbove: 0.5 },
  },
  {
    ...{
      asset: 'ETH',
      network: 'ethereum',
      decimals: 8,
      confirmations: 6,
      memo: 'none',
      ...limits,
    },
    ...{ minDeposit: 0.001, minWithdrawal: 0.005, withdrawalFee: 0.001 },
    ...{ dailyLimit: 100, approvalAbove: 10 },
  },
  {
    ...{
      asset: 'USDT',
      network: 'ethereum',
      decimals: 6,
      confirmations: 6,
      memo: 'none',
      ...limits,
    },
    ...{ minDeposit: 1, minWithdrawal: 10, withdrawalFee: 3 },
    ...{ dailyLimit: 200_000, approvalAbove: 20_000 },
  },
  {
    ...{
      asset: 'USDT',
      network: 'ton',
      decimals: 6,
      confirmations: 2,
      memo: 'required',
      ...limits,
    },
    ...{ minDeposit: 1, minWithdrawal: 2, withdrawalFee: 0.2 },
    ...{ dailyLimit: 200_000, approvalAbove: 20_000 },
  },
];

interface Key {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface Sandbox {
  readonly baseUrl: string;
  readonly operator: Key;
}

interface CustodianStatus {
  readonly exchangeKey: string;
  readonly nextExchangeKey: string;
  readonly custodianKey: string | null;
}

/** Returns the address and the operator's key of a sandbox, once it has written its credentials. */
export async function readSandbox(path: string): Promise<Sandbox> {
  for (;;) {
    try {
      const { baseUrl, accounts } = JSON.parse(readFileSync(path, 'utf8'));
      const operator = accounts.find(({ name }: { name: string }) => name === 'operator');
      const time = await fetch(`${baseUrl}/api/time`);
      if (time.ok) return { baseUrl, operator };
    } catch {
      // It is starting.
    }
    await sleep(100);
  }
}

/**
 * Introduces exchange and custodian to each other, as an operator does on the operator page.
 * @returns the public keys with which the exchange signs, now and after its next restart with another number
 */
export async function introduce(sandbox: Sandbox, privateKey: string): Promise<string[]> {
  const call = caller(sandbox);
  const status = (await call('GET', '/api/admin/custodian')) as CustodianStatus;
  const publicKey = publicKeyText(privateKey);
  if (status.custodianKey !== publicKey) {
    await call('POST', '/api/admin/custodian-key', { publicKey });
  }
  const { networks } = (await call('GET', '/api/networks')) as { networks: unknown[] };
  if (networks.length === 0) {
    for (const network of NETWORKS) await call('POST', '/api/admin/networks', network);
  }
  return [status.exchangeKey, status.nextExchangeKey];
}

interface Reserve {
  readonly asset: string;
  readonly network: string;
  readonly reserve: string;
}

/**
 * Returns the coins with which each network of the sandbox begins: what its accounts already have of the asset, divided
 * among its networks and rounded up to whole coins.
 */
export async function readReserves(sandbox: Sandbox): Promise<Reserve[]> {
  const call = caller(sandbox);
  const { assets } = (await call('GET', '/api/admin/state')) as {
    assets: { asset: string; liabilities: number }[];
  };
  const { networks } = (await call('GET', '/api/networks')) as {
    networks: Omit<Reserve, 'reserve'>[];
  };
  return networks.map(({ asset, network }) => {
    const { liabilities } = assets.find((each) => each.asset === asset)!;
    const count = networks.filter((each) => each.asset === asset).length;
    return { asset, network, reserve: BigInt(Math.ceil(liabilities / count)).toString() };
  });
}

/** Returns a function that sends requests of the operator. */
function caller({ baseUrl, operator }: Sandbox) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${operator.apiKey}`,
        'x-api-secret': operator.apiSecret,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { data: unknown }).data;
  };
}
