import type { KeyObject } from 'node:crypto';
import type { Answer, TestExchange } from './exchange.ts';
import { newKeyPair, signature } from './signing.ts';

/** Rules of a network, as operators set them: bitcoin, with withdrawals up to 1 BTC approved by rule. */
export const NETWORK = {
  ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, minDeposit: 0.0001, minWithdrawal: 0.0005 },
  ...{ withdrawalFee: 0.0001, confirmations: 3, memo: 'none', deposits: true, withdrawals: true },
  ...{ dailyLimit: 5, hourlyCount: 10, addressCoolingMs: 0, newDeviceDelayMs: 60_000 },
  approvalAbove: 1,
};

export interface Signing {
  readonly key?: KeyObject;
  readonly timestamp?: number;
  /** The body that is signed, if it is not the one that is sent. */
  readonly signed?: string;
}

/** A custodian whose key an exchange knows. It signs as docs/trading/signing.md says. */
export class TestCustodian {
  private constructor(
    private readonly exchange: TestExchange,
    private readonly privateKey: KeyObject,
  ) {}

  /** Sets the key of the custodian and adds NETWORK. */
  static async open(exchange: TestExchange): Promise<TestCustodian> {
    const { privateKey, publicPem } = newKeyPair();
    const operate = (path: string, body: object) =>
      exchange.send('operator', 'POST', `/api/admin${path}`, JSON.stringify(body));
    await operate('/custodian-key', { publicKey: publicPem });
    await operate('/networks', NETWORK);
    return new TestCustodian(exchange, privateKey);
  }

  /** Sends a signed report. @param path The part of the path after /api/custody */
  report(path: string, body: unknown, signing: Signing = {}): Promise<Answer> {
    const { key: privateKey = this.privateKey, timestamp = this.exchange.now } = signing;
    const target = `/api/custody${path}`;
    const text = JSON.stringify(body);
    const { signed = text } = signing;
    const terms = { apiKey: 'custodian', privateKey, method: 'POST', target, timestamp };
    return this.exchange.send(undefined, 'POST', target, text, {
      'X-API-Timestamp': `${timestamp}`,
      'X-API-Signature': signature({ ...terms, body: signed }),
    });
  }
}
