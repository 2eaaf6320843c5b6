import { Side } from '../../src/engine/terms.ts';
import { PASSWORD } from '../http/browser.ts';
import { NETWORK } from '../http/custodian.ts';
import type { TestExchange } from '../http/exchange.ts';
import type { newKeyPair } from '../http/signing.ts';
import { signature } from '../http/signing.ts';
import type { Given } from './request.ts';
import { toTree } from './tree.ts';
import type { FuzzUsers } from './users.ts';

const PLACE = { asset: NETWORK.asset, network: NETWORK.network, address: 'bc1qown' };
const MAX_WEBHOOKS = 20;
/** One prepared order in so many is post-only and would take, the others find an empty book: random orders seldom do. */
const POST_ONLY_EVERY = 4;
/** Fields of orders that the prepared ones do not have. */
const UNUSED = Object.fromEntries(
  [
    ...['cost', 'triggerPrice', 'trailingAmount', 'trailingPercent', 'activationPrice'],
    ...['attached', 'displayAmount', 'timeInForce', 'clientOrderId'],
  ].map((name) => [name, null]),
);

// biome-ignore lint/suspicious/noExplicitAny: the data of a response
type Data = any;

/** Creates what operations on deposits, withdrawals, webhooks, reports and proofs are about. */
export class Prepared {
  private payments = 0;
  private orders = 0;

  /** @param pair The keys of the custodian. */
  constructor(
    private readonly exchange: TestExchange,
    private readonly users: FuzzUsers,
    private readonly pair: ReturnType<typeof newKeyPair>,
  ) {}

  /** Returns the values that a request of an operation needs to succeed; undefined for other operations. */
  async given(operation: string): Promise<Given | undefined> {
    switch (operation) {
      case 'assignDepositAddress':
        await this.setUp();
        return fields({ ...PLACE, account: 'alice', memo: null });
      case 'reportDeposit':
        await this.setUp();
        return fields(this.nextPayment());
      case 'reportHoldings':
        await this.setUp();
        return fields({ asset: NETWORK.asset, network: NETWORK.network, amount: 1, report: 1 });
      case 'reportWithdrawal': {
        const { id } = await this.withdraw(NETWORK.approvalAbove);
        const paid = { status: 'broadcast', transaction: 'paid', reason: null };
        return fields({ withdrawal: Number(id), ...paid });
      }
      case 'resolveDeposit':
        return { ...fields({ resolution: 'debit', account: null }), ...at(await this.freeze()) };
      case 'approveWithdrawal':
      case 'rejectWithdrawal':
      case 'cancelWithdrawal':
        return at((await this.withdraw(0)).id);
      case 'addWithdrawalAddress': {
        await this.setUp();
        this.users.renew('carol');
        return fields({ ...PLACE, memo: null, password: PASSWORD, code: null });
      }
      case 'requestWithdrawal':
        return fields(await this.bookAddress(NETWORK.approvalAbove));
      case 'removeWithdrawalAddress':
        return at((await this.bookAddress(NETWORK.approvalAbove)).addressId);
      case 'renameWithdrawalAddress':
        return {
          ...at((await this.bookAddress(NETWORK.approvalAbove)).addressId),
          ...fields({ label: 'Ledger' }),
        };
      case 'placeOrder':
        return this.orders++ % POST_ONLY_EVERY === 0 ? this.postOnly() : this.withoutLiquidity();
      case 'changeSubAccount':
        return {
          ...at((await this.subAccount()).to),
          ...fields({ name: null, closed: true }),
        };
      case 'transferInternally':
        return fields(await this.subAccount());
      case 'bustTrade':
        return fields({ symbol: 'BTC/USDT', tradeId: await this.trade(), reason: 'fuzz' });
      case 'getSurveillanceAlert':
      case 'getAlertActivity':
        return at(await this.exchange.addAlert());
      case 'reviewAlert':
        return {
          ...at(await this.exchange.addAlert()),
          ...fields({ caseStatus: 'closed', assignee: null, note: 'harmless' }),
        };
      case 'changeWebhook':
      case 'deleteWebhook':
      case 'getWebhookSecret':
      case 'testWebhook':
      case 'listDeliveries':
        return at(await this.webhook());
      case 'deletePriceAlert':
        return at(await this.alert());
      default:
        return /Report(File)?$/.test(operation) && !operation.startsWith('create')
          ? at(await this.report())
          : undefined;
    }
  }

  /** Returns the headers with which the custodian sends a body. */
  sign(target: string, body: Uint8Array): Record<string, string> {
    const { privateKey } = this.pair;
    const timestamp = this.exchange.now;
    const terms = { apiKey: 'custodian', privateKey, method: 'POST', target, timestamp };
    return {
      'X-API-Timestamp': `${timestamp}`,
      'X-API-Signature': signature({ ...terms, body: Buffer.from(body) }),
    };
  }

  /** Restores the custodian and its network, which requests may have changed. */
  private async setUp(approvalAbove = NETWORK.approvalAbove): Promise<void> {
    const rules = { ...NETWORK, newDeviceDelayMs: 0, hourlyCount: 0, dailyLimit: 0, approvalAbove };
    await this.operate('/custodian-key', { publicKey: this.pair.publicPem });
    await this.operate('/networks', rules);
  }

  private nextPayment() {
    const transaction = `paid${this.payments++}`;
    const terms = { amount: 0.5, confirmations: 3, report: 1, memo: null, reorganized: null };
    return { ...PLACE, transaction, index: 0, ...terms };
  }

  /** Returns the id of a deposit that was credited, and whose transaction is no longer in the chain. */
  private async freeze(): Promise<string> {
    await this.setUp();
    await this.send('/addresses', { ...PLACE, account: 'alice' });
    const payment = this.nextPayment();
    await this.send('/deposits', payment);
    const frozen = await this.send('/deposits', { ...payment, report: 2, reorganized: true });
    return frozen?.deposit.id;
  }

  /** Adds an address to the address book of a new carol, and returns what a withdrawal to it needs. */
  private async bookAddress(approvalAbove: number) {
    await this.setUp(approvalAbove);
    this.users.renew('carol');
    const carol = await this.users.browser('carol');
    const account = [...this.exchange.state.accounts].at(-1)!.id;
    const reference = `fund-${this.payments++}`;
    const funds = { account, asset: PLACE.asset, amount: 3, reference, reason: 'fuzz' };
    await this.operate('/transfers', funds);
    const entry = { ...PLACE, password: PASSWORD };
    const { data } = await carol.send('POST', '/api/withdrawal-addresses', entry);
    const { id } = data?.address ?? { id: '0' };
    return { addressId: id, amount: 0.2, clientId: null, password: PASSWORD, code: null };
  }

  /** Returns an order that would take from one of bob. */
  private async postOnly(): Promise<Given> {
    const order = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 100_000 };
    await this.exchange.place('bob', { ...order, side: 'sell' });
    return fields({ ...order, ...UNUSED, side: 'buy', postOnly: true });
  }

  /** Returns a market order against an empty side of a book; undefined if there is none. */
  private withoutLiquidity(): Given | undefined {
    for (const { symbol, book } of this.exchange.state.markets) {
      const isEmpty = book.bestPrice(Side.buy) === undefined;
      if (!isEmpty && book.bestPrice(Side.sell) !== undefined) continue;
      const side = isEmpty ? 'sell' : 'buy';
      const terms = { type: 'market', amount: 0.01, price: null, postOnly: null };
      return fields({ symbol, side, ...terms, ...UNUSED });
    }
    return undefined;
  }

  /** Opens a sub-account of a new carol, and returns what a transfer to it needs. */
  private async subAccount() {
    await this.bookAddress(NETWORK.approvalAbove);
    const carol = await this.users.browser('carol');
    const { data } = await carol.send('POST', '/api/accounts', { name: 'Savings' });
    const to: string = data?.account.accountId ?? 'none';
    const terms = { from: null, clientId: null, password: null, code: null };
    return { ...terms, to, asset: PLACE.asset, amount: 0.2 };
  }

  /** Requests a withdrawal of a new carol. @param approvalAbove With 0 it waits for operators. */
  private async withdraw(approvalAbove: number): Promise<{ readonly id: string }> {
    const terms = await this.bookAddress(approvalAbove);
    const carol = await this.users.browser('carol');
    const { data } = await carol.send('POST', '/api/withdrawals', terms);
    return data?.withdrawal ?? { id: '0' };
  }

  /** Returns the id of a new trade of alice and bob. */
  private async trade(): Promise<string> {
    const terms = { symbol: 'BTC/USDT', type: 'limit', amount: 0.01, price: 30_000 };
    await this.exchange.place('alice', { ...terms, side: 'buy' });
    await this.exchange.place('bob', { ...terms, side: 'sell' });
    const { data } = await this.exchange.send(
      undefined,
      'GET',
      '/api/trades?symbol=BTC/USDT&limit=1',
    );
    return data?.trades.at(0)?.id ?? '1';
  }

  /** Returns the id of a webhook of alice. */
  private async webhook(): Promise<string> {
    const path = '/api/webhooks';
    const { data } = await this.exchange.send('alice', 'GET', path);
    const known: readonly Data[] = data?.webhooks ?? [];
    if (known.length >= MAX_WEBHOOKS) return known[0].id;
    const body = JSON.stringify({ url: 'https://example.com/hooks', events: ['*'] });
    const made = await this.exchange.send('alice', 'POST', path, body);
    return made.data?.webhook.id ?? 'none';
  }

  /** Returns the id of a finished report about alice. */
  private async report(): Promise<string> {
    const list = async (): Promise<readonly Data[]> => {
      const { data } = await this.exchange.send(
        'operator',
        'GET',
        '/api/admin/reports?account=alice',
      );
      return data?.reports ?? [];
    };
    if (!(await list()).some(({ status }) => status === 'done')) {
      const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
      const terms = { account: 'alice', kind: 'fills', format: 'csv', from, to };
      await this.operate('/reports', terms);
    }
    while ((await list()).some(({ status }) => status === 'queued' || status === 'running')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return (await list()).find(({ status }) => status === 'done')?.reportId ?? 'none';
  }

  /** Returns the id of a price alert of alice. */
  private async alert(): Promise<string> {
    const body = JSON.stringify({ symbol: 'BTC/USDT', direction: 'above', price: 1e9 });
    await this.exchange.send('alice', 'POST', '/api/alerts', body);
    return (
      (await this.exchange.send('alice', 'GET', '/api/alerts')).data?.alerts.at(0)?.id ?? 'none'
    );
  }

  private operate(path: string, body: object) {
    return this.exchange.send('operator', 'POST', `/api/admin${path}`, JSON.stringify(body));
  }

  /** Sends a report of the custodian. */
  private async send(path: string, body: object): Promise<Data> {
    const target = `/api/custody${path}`;
    const text = JSON.stringify(body);
    const headers = this.sign(target, Buffer.from(text));
    return (await this.exchange.send(undefined, 'POST', target, text, headers)).data;
  }
}

function fields(values: object): Given {
  const entries = Object.entries(values).map(([name, value]) => [name, toTree(value)]);
  return { body: Object.fromEntries(entries) };
}

function at(id: string): Given {
  return { path: { id } };
}
