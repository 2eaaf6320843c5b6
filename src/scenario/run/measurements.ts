import { Big } from 'big.js';
import type { Client, Fill, Order } from '../../client/index.ts';
import type { KnownNames } from '../format/expression.ts';
import { splitName } from '../format/expression.ts';
import type { ScenarioExchange } from './exchange.ts';

/** Records per page. */
const PAGE = 1000;

export interface MeasuredBalance {
  readonly total: Big;
  readonly available: Big;
  readonly held: Big;
}

const NO_BALANCE: MeasuredBalance = { total: Big(0), available: Big(0), held: Big(0) };

/** An account's records, with exact numbers. */
export interface AccountReader {
  readonly accountId: string;
  readonly client: Client<true>;
}

/** Reads what expectations are about. Every number is exact. */
export class Measurements {
  constructor(
    private readonly exchange: ScenarioExchange,
    private readonly readers: ReadonlyMap<string, AccountReader>,
    private readonly known: KnownNames,
  ) {}

  async balance(account: string, asset: string): Promise<MeasuredBalance> {
    return (await this.balances(account)).get(asset) ?? NO_BALANCE;
  }

  /**
   * Returns the value of all balances at the last prices.
   * @throws Error if there is no market between the asset of a balance and that of the value
   */
  async equity(account: string, asset: string): Promise<Big> {
    const balances = await this.balances(account);
    const prices = await this.prices();
    let sum = new Big(0);
    for (const [held, { total }] of balances) {
      if (total.eq(0)) continue;
      const price = held === asset ? new Big(1) : prices.get(`${held}/${asset}`);
      if (price === undefined) {
        throw new Error(`There is no market ${held}/${asset} to value the ${held} of ${account}.`);
      }
      sum = sum.plus(total.times(price));
    }
    return sum;
  }

  openOrders(account: string): Promise<readonly Pick<Order<string>, 'symbol' | 'side'>[]> {
    return readPages(async (cursor) => {
      const terms = { status: 'open', limit: PAGE, cursor } as const;
      const { orders, nextCursor } = await this.exchange.operator.listAccountOrders({
        id: account,
        ...terms,
      });
      return { records: orders, nextCursor };
    });
  }

  fills(account: string): Promise<Fill<string>[]> {
    const { client } = this.readers.get(account)!;
    return readPages(async (cursor) => {
      const { fills, nextCursor } = await client.getFills({ limit: PAGE, cursor, sort: 'asc' });
      return { records: fills, nextCursor };
    });
  }

  /** Returns all orders of an account, open ones and past ones. */
  orders(account: string): Promise<Order<string>[]> {
    const { client } = this.readers.get(account)!;
    return readPages(async (cursor) => {
      const { orders, nextCursor } = await client.listOrders({ limit: PAGE, cursor, sort: 'asc' });
      return { records: orders, nextCursor };
    });
  }

  /** Returns the value of each name of an expression. */
  async values(names: readonly string[]): Promise<(name: string) => Big> {
    const prices = await this.prices();
    const values = new Map<string, Big>();
    for (const name of names) {
      const [first = '', second = '', part = 'total'] = splitName(name, this.known.accounts);
      if (this.known.accounts.includes(first)) {
        const balance = await this.balance(first, second);
        values.set(name, balance[part as keyof MeasuredBalance]);
        continue;
      }
      const price = prices.get(first)!;
      values.set(name, price);
    }
    return (name) => values.get(name)!;
  }

  private async balances(account: string): Promise<Map<string, MeasuredBalance>> {
    const { balances } = await this.exchange.operator.getAccountBalances({ id: account });
    return new Map(
      balances.map(({ asset, total, available, held }) => [
        asset,
        { total: Big(total), available: Big(available), held: Big(held) },
      ]),
    );
  }

  /** Returns the last price of each market. */
  private async prices(): Promise<Map<string, Big>> {
    const { markets } = await this.exchange.operator.listAdminMarkets();
    return new Map(markets.map(({ symbol, last }) => [symbol, Big(last)]));
  }
}

async function readPages<T>(
  read: (
    cursor: string | undefined,
  ) => Promise<{ readonly records: readonly T[]; readonly nextCursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { records, nextCursor } = await read(cursor);
    all.push(...records);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
