import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';

/** A limit of a hang; a machine may be busy. */
const READY_LIMIT_MS = 60_000;
const FUNDS = { USDT: 1_000_000, BTC: 100, ETH: 1000 };

/** The environment of a client's program. */
export interface ClientEnvironment extends Record<string, string> {
  EXCHANGE_URL: string;
  API_KEY: string;
  API_SECRET: string;
}

/** A sandbox as its users start it, with market makers and limits, in a process of its own. */
export class EcosystemSandbox {
  private constructor(
    private readonly exchange: ExchangeProcess,
    private readonly removeFiles: () => void,
  ) {}

  static async start(env: Record<string, string> = {}): Promise<EcosystemSandbox> {
    const directory = temporaryDirectory();
    const exchange = await ExchangeProcess.start(directory.path, {
      BUTTONWOOD_MAKERS: 'on',
      BUTTONWOOD_RATE_LIMITS: 'spec',
      ...env,
    });
    const sandbox = new EcosystemSandbox(exchange, directory.remove);
    await sandbox.whenTrading();
    return sandbox;
  }

  get url(): string {
    return `${this.exchange.baseUrl}/binance`;
  }

  /** Creates an account with funds and an HMAC key, so that programs that run at the same time do not disturb each other. */
  async openAccount(name: string): Promise<ClientEnvironment> {
    await this.operate('/api/admin/accounts', { accountId: name });
    for (const [asset, amount] of Object.entries(FUNDS)) {
      const credit = {
        account: name,
        asset,
        amount,
        reference: `${name}-${asset}`,
        reason: 'test',
      };
      await this.operate('/api/admin/transfers', credit);
    }
    const terms = { type: 'hmac', permissions: ['read', 'trade'] };
    const { key, apiSecret } = await this.operate(`/api/admin/accounts/${name}/keys`, terms);
    return { EXCHANGE_URL: this.url, API_KEY: key.apiKey, API_SECRET: apiSecret };
  }

  async stop(): Promise<void> {
    await this.exchange.kill();
    this.removeFiles();
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers have many forms
  private async operate(path: string, body: object): Promise<any> {
    const operator = this.exchange.credential('operator');
    const { status, json } = await this.exchange.send(operator, 'POST', path, JSON.stringify(body));
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json.data;
  }

  /** Resolves once the market makers quote all markets, and history answers. */
  private async whenTrading(): Promise<void> {
    const until = Date.now() + READY_LIMIT_MS;
    for (;;) {
      const [tickers, trades] = await Promise.all([
        this.get('/api/v3/ticker/bookTicker'),
        this.get('/api/v3/aggTrades?symbol=BTCUSDT'),
      ]);
      const isQuoted = ({ bidQty, askQty }: Record<string, string>) =>
        Number(bidQty) > 0 && Number(askQty) > 0;
      if (Array.isArray(tickers) && Array.isArray(trades) && tickers.every(isQuoted)) return;
      if (Date.now() > until) {
        throw new Error(`the sandbox does not trade: ${JSON.stringify([tickers, trades])}`);
      }
      await Bun.sleep(100);
    }
  }

  private async get(path: string): Promise<unknown> {
    return (await fetch(this.url + path)).json();
  }
}
