import { newKeyPair, signature } from '../http/signing.ts';
import { EXAMPLE_PASSWORD, ExampleUser } from './example-user.ts';
import type { ExchangeProcess } from './exchange-process.ts';
import type { SmtpSink } from './smtp-sink.ts';

/** Creates what the examples of deposits and withdrawals name, and sends them as the custodian or a new user. */

// biome-ignore lint/suspicious/noExplicitAny: examples have bodies of any form
type Body = any;

interface Example {
  readonly operation: string;
  readonly path: string;
  readonly body: unknown;
}

export interface PreparedExample {
  readonly path: string;
  readonly body: unknown;
  /** Absent if an operator or trader sends it with their key. */
  readonly headers?: Record<string, string>;
}

const PLACE = {
  asset: 'BTC',
  network: 'bitcoin',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
};
const RULES = {
  ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, minDeposit: 0.0001, minWithdrawal: 0.0005 },
  ...{ withdrawalFee: 0.0001, confirmations: 3, memo: 'none', deposits: true, withdrawals: true },
  ...{ dailyLimit: 5, hourlyCount: 10, addressCoolingMs: 0, newDeviceDelayMs: 0 },
};

/** The other examples change the network and the key of the custodian, so that each one here sets its own. */
export class ExampleCustody {
  private readonly keys = newKeyPair();
  private payments = 0;

  constructor(
    private readonly exchange: ExchangeProcess,
    private readonly mail: SmtpSink,
  ) {}

  /** Returns what is sent for an example; undefined for one of another topic. */
  async prepare({ operation, path, body }: Example): Promise<PreparedExample | undefined> {
    const at = (id: string) => path.replace('{id}', id);
    const example: Body = body;
    switch (operation) {
      case 'requestDepositAddress':
        await this.setUp();
        return { path, body };
      case 'assignDepositAddress':
      case 'reportDeposit':
      case 'reportHoldings':
        await this.setUp();
        return { path, body, headers: await this.sign(path, body) };
      case 'reportWithdrawal': {
        const { withdrawalId } = await this.withdraw();
        const sent = { ...example, withdrawal: Number(withdrawalId) };
        return { path, body: sent, headers: await this.sign(path, sent) };
      }
      case 'resolveDeposit':
        return { path: at(await this.frozenDepositId()), body };
      case 'approveWithdrawal':
      case 'rejectWithdrawal':
        return { path: at((await this.withdraw(0)).withdrawalId), body };
      case 'addWithdrawalAddress': {
        const { headers } = await this.newUser();
        return { path, body: { ...example, password: EXAMPLE_PASSWORD }, headers };
      }
      case 'requestWithdrawal': {
        const { headers, addressId } = await this.newUser();
        return { path, body: { ...example, addressId, password: EXAMPLE_PASSWORD }, headers };
      }
      case 'renameWithdrawalAddress':
      case 'removeWithdrawalAddress': {
        const { headers, addressId } = await this.newUser();
        return { path: at(addressId), body, headers };
      }
      case 'cancelWithdrawal': {
        const { headers, withdrawalId } = await this.withdraw(0);
        return { path: at(withdrawalId), body, headers };
      }
      case 'createSubAccount':
        return { path, body, headers: (await this.newUser()).headers };
      case 'changeSubAccount': {
        const { headers, accountId } = await this.subAccount();
        return { path: at(accountId), body, headers };
      }
      case 'transferInternally': {
        const { headers, accountId } = await this.subAccount();
        return { path, body: { ...example, asset: 'BTC', amount: 0.1, to: accountId }, headers };
      }
      default:
        return undefined;
    }
  }

  /** @param approvalAbove Withdrawals above it wait for operators. */
  private async setUp(approvalAbove = 1): Promise<void> {
    await this.operate('/custodian-key', { publicKey: this.keys.publicBase64 });
    await this.operate('/networks', { ...RULES, approvalAbove });
  }

  private async operate(path: string, body: object): Promise<void> {
    const operator = this.exchange.credential('operator');
    const text = JSON.stringify(body);
    expectData(await this.exchange.send(operator, 'POST', `/api/admin${path}`, text));
  }

  /** Returns the headers of a request of the custodian. */
  private async sign(target: string, body: unknown): Promise<Record<string, string>> {
    // The other examples set the clock of the sandbox.
    const { data } = (await (await fetch(`${this.exchange.baseUrl}/api/time`)).json()) as Body;
    const timestamp = Date.parse(data.timestamp);
    const { privateKey } = this.keys;
    const terms = { apiKey: 'custodian', privateKey, method: 'POST', target, timestamp };
    return {
      'Content-Type': 'application/json',
      'X-API-Timestamp': `${timestamp}`,
      'X-API-Signature': signature({ ...terms, body: JSON.stringify(body) }),
    };
  }

  private async report(path: string, body: object): Promise<Body> {
    const target = `/api/custody${path}`;
    return this.post(target, body, await this.sign(target, body));
  }

  private async post(path: string, body: object, headers: Record<string, string>): Promise<Body> {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(this.exchange.baseUrl + path, request);
    return expectData({ status: response.status, json: (await response.json()) as Body });
  }

  /** Returns the id of a deposit that was credited, and whose transaction is no longer in the chain. */
  private async frozenDepositId(): Promise<string> {
    await this.setUp();
    await this.report('/addresses', { ...PLACE, account: 'alice' });
    const transaction = `frozen${this.payments++}`;
    const payment = { ...PLACE, transaction, index: 0, amount: 0.5, confirmations: 3 };
    await this.report('/deposits', { ...payment, report: 1 });
    const frozen = { ...payment, report: 2, reorganized: true };
    return (await this.report('/deposits', frozen)).deposit.id;
  }

  /** Signs up a user with bitcoin and an address in the address book. */
  private async newUser(approvalAbove = 1) {
    await this.setUp(approvalAbove);
    const user = new ExampleUser(this.exchange.baseUrl, this.mail);
    await user.signUp();
    const { headers } = user;
    await this.post('/api/account/faucet', { asset: 'BTC' }, headers);
    const entry = { ...PLACE, password: EXAMPLE_PASSWORD };
    const { address } = await this.post('/api/withdrawal-addresses', entry, headers);
    return { headers, addressId: address.id as string };
  }

  /** Opens a sub-account of a new user. */
  private async subAccount() {
    const { headers } = await this.newUser();
    const { account } = await this.post('/api/accounts', { name: 'Savings' }, headers);
    return { headers, accountId: account.accountId as string };
  }

  /** Requests a withdrawal as a new user. @param approvalAbove With 0 it waits for operators. */
  private async withdraw(approvalAbove = 1) {
    const { headers, addressId } = await this.newUser(approvalAbove);
    const terms = { addressId, amount: 0.2, password: EXAMPLE_PASSWORD };
    const { withdrawal } = await this.post('/api/withdrawals', terms, headers);
    return { headers, withdrawalId: withdrawal.id as string };
  }
}

function expectData({ status, json }: { status: number; json: Body }): Body {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json.data;
}
