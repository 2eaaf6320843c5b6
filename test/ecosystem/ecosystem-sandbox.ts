import { join } from 'node:path';
import { newKeyPair } from '../http/signing.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';

/** A limit of a hang; a machine may be busy. */
const READY_LIMIT_MS = 60_000;
const FUNDS = { USDT: 1_000_000, BTC: 100, ETH: 1000 };

export type KeyType = 'hmac' | 'ed25519';

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
    /** The environment that makes programs trust its certificate. */
    private readonly trust: Record<string, string>,
    private readonly removeFiles: () => void,
  ) {}

  /** @param usesTls Whether it has a certificate, which programs trust by their environment. */
  static async start(usesTls = false): Promise<EcosystemSandbox> {
    const directory = temporaryDirectory();
    const env = usesTls ? createCertificate(directory.path) : {};
    const exchange = await ExchangeProcess.start(join(directory.path, 'data'), {
      BUTTONWOOD_MAKERS: 'on',
      BUTTONWOOD_RATE_LIMITS: 'spec',
      ...env,
    });
    const trust = usesTls ? trustIn(env.BUTTONWOOD_TLS_CERT!) : {};
    const sandbox = new EcosystemSandbox(exchange, trust, directory.remove);
    await sandbox.whenTrading();
    return sandbox;
  }

  get url(): string {
    return `${this.exchange.baseUrl}/binance`;
  }

  /** Creates an account with funds and a key, so that programs that run at the same time do not disturb each other. */
  async openAccount(name: string, keyType: KeyType = 'hmac'): Promise<ClientEnvironment> {
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
    const { apiKey, apiSecret } = await this.createKey(name, keyType);
    return { ...this.trust, EXCHANGE_URL: this.url, API_KEY: apiKey, API_SECRET: apiSecret };
  }

  /** Creates a key. Its secret is the private key's PKCS #8 in base64 if it is an Ed25519 key. */
  private async createKey(account: string, type: KeyType) {
    const path = `/api/admin/accounts/${account}/keys`;
    const terms = { type, permissions: ['read', 'trade'] };
    if (type === 'hmac') {
      const { key, apiSecret } = await this.operate(path, terms);
      return { apiKey: key.apiKey, apiSecret };
    }
    const { privateKey, publicBase64: publicKey } = newKeyPair();
    const { key } = await this.operate(path, { ...terms, publicKey });
    const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
    return { apiKey: key.apiKey, apiSecret: secret.toString('base64') };
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
    return (await fetch(this.url + path, { tls: this.exchange.tls })).json();
  }
}

/** Creates a certificate for this machine. Returns the settings of the exchange that name it. @throws Error without openssl */
function createCertificate(directory: string): Record<string, string> {
  const [key, certificate] = [join(directory, 'tls.key'), join(directory, 'tls.crt')];
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const terms = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const command = ['openssl', 'req', ...form, ...terms, '-keyout', key, '-out', certificate];
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${stderr}`);
  return { BUTTONWOOD_TLS_CERT: certificate, BUTTONWOOD_TLS_KEY: key };
}

/** Returns the environment in which OpenSSL and Python's requests trust a certificate. */
function trustIn(certificate: string): Record<string, string> {
  return { SSL_CERT_FILE: certificate, REQUESTS_CA_BUNDLE: certificate };
}
