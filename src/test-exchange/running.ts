import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client/index.ts';
import { ExchangeClock } from './clock.ts';
import { ExchangeFaults } from './faults.ts';
import type { ServerProcess } from './server-process.ts';
import { remove } from './temporary-directories.ts';
import { type Counts, TestClient } from './test-client.ts';

/** An API key with its secret, of this exchange or of its Binance dialect. */
export interface Key {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The keys of an account. */
export interface Keys extends Key {
  /** A key that signs with HMAC-SHA256, for programs for Binance. */
  readonly binance: Key;
}

/** A funded account, with keys that may read and trade. */
export interface TestAccount extends Keys {
  readonly accountId: string;
  readonly client: Client;
}

/** A moment of an exchange to which a test returns. */
export interface Checkpoint {
  readonly name: string;
  /** Returns to the checkpoint: orders, balances, history, users, the time, and the ids that are given next. */
  restore(): Promise<void>;
}

/** The time that clients wait for an answer: months of trading may be played before it. The test has limits of its own. */
const TIMEOUT_MS = 600_000;

/** A running exchange of a test. */
export class TestExchange {
  readonly baseUrl: string;
  readonly port: number;
  /** The address of the Binance dialect: programs append `/api/v3/…` to it. */
  readonly binanceUrl: string;
  /** Keys of the two funded traders; those of the operator control the exchange. */
  readonly keys: { readonly alice: Keys; readonly bob: Keys; readonly operator: Key };
  /** Client of alice. */
  readonly client: Client;
  /** Client of the operator, for every setting of the exchange. */
  readonly operator: Client;
  readonly clock: ExchangeClock;
  readonly faults: ExchangeFaults;
  private checkpointCount = 0;
  private readonly counts: Counts = { accounts: 0, orders: 0 };

  /** @param dataDirectory Removed by `close`. */
  constructor(
    private readonly server: ServerProcess,
    readonly dataDirectory: string,
  ) {
    const { baseUrl, accounts } = readCredentials(dataDirectory);
    const findKeys = (name: string): Keys => {
      const { apiKey, apiSecret, binance } = accounts.find((account) => account.name === name)!;
      return { apiKey, apiSecret, binance: binance ?? { apiKey, apiSecret } };
    };
    this.baseUrl = baseUrl;
    this.port = Number(new URL(baseUrl).port);
    this.binanceUrl = `${baseUrl}/binance`;
    const { apiKey, apiSecret } = findKeys('operator');
    this.keys = {
      alice: findKeys('alice'),
      bob: findKeys('bob'),
      operator: { apiKey, apiSecret },
    };
    this.client = this.createClient(this.keys.alice);
    this.operator = this.createClient(this.keys.operator);
    this.clock = new ExchangeClock(this.operator);
    this.faults = new ExchangeFaults(this.operator);
  }

  /**
   * Opens an account of its own for a test or a bot.
   * @param options.funds Amounts to credit by asset; nothing by default.
   */
  async account(
    options: { readonly funds?: Readonly<Record<string, number | string>> } = {},
  ): Promise<TestAccount> {
    const accountId = `test-${++this.counts.accounts}`;
    const { operator } = this;
    await operator.createAccount({ accountId });
    for (const [asset, amount] of Object.entries(options.funds ?? {})) {
      const reference = `${accountId}-${asset}`;
      await operator.createTransfer({
        account: accountId,
        asset,
        amount,
        reference,
        reason: 'test',
      });
    }
    const key = await this.createKey(accountId, 'secret');
    const binance = await this.createKey(accountId, 'hmac');
    return { accountId, ...key, binance, client: this.createClient(key) };
  }

  /**
   * Names the present, so that each test can begin from it.
   * @param name 1 to 64 of A-Z a-z 0-9 _ -; replaces a checkpoint of the same name. By default a new one.
   */
  async checkpoint(name = `checkpoint-${++this.checkpointCount}`): Promise<Checkpoint> {
    await this.operator.createCheckpoint({ name });
    const counts = { ...this.counts };
    const restore = async () => {
      await this.operator.restoreCheckpoint({ name });
      Object.assign(this.counts, counts);
    };
    return { name, restore };
  }

  /**
   * Ends the exchange and removes its data.
   * @throws Error with the output of the exchange if it ended by itself, because a test must not pass then
   */
  async close(): Promise<void> {
    await this.server.kill();
    await remove(this.dataDirectory);
    this.server.checkKilled();
  }

  private async createKey(id: string, type: 'secret' | 'hmac'): Promise<Key> {
    const permissions = ['read', 'trade'] as const;
    const created = await this.operator.createKey({ id, type, permissions });
    return { apiKey: created.key.apiKey, apiSecret: created.apiSecret! };
  }

  private createClient({ apiKey, apiSecret }: Key): Client {
    const options = { baseUrl: this.baseUrl, apiKey, apiSecret, timeoutMs: TIMEOUT_MS };
    return new TestClient(options, this.counts);
  }
}

interface CredentialsFile {
  readonly baseUrl: string;
  readonly accounts: readonly (Key & { readonly name: string; readonly binance?: Key })[];
}

function readCredentials(dataDirectory: string): CredentialsFile {
  return JSON.parse(readFileSync(join(dataDirectory, 'sandbox.json'), 'utf8'));
}
