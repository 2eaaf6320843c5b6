import { join } from 'node:path';
import { inherited } from './inherited.ts';

const ROOT = join(import.meta.dir, '../..');

/** A report of the reference custodian on its state. */
export interface CustodianStatus {
  readonly chains: Record<
    string,
    { readonly height: number; readonly transactions: Transaction[] }
  >;
  readonly addresses: {
    account: string;
    network: string;
    address: string;
    memo: string;
    isReported: boolean;
  }[];
  readonly deposits: Reported[];
  readonly withdrawals: Reported[];
  readonly wallets: Wallet[];
  readonly instructions: string[];
}

interface Wallet extends Omit<Reported, 'transaction'> {
  readonly asset: string;
  readonly network: string;
  readonly reserve: string;
}

interface Transaction {
  readonly id: string;
  readonly asset: string;
  readonly payments: readonly {
    readonly address: string;
    readonly memo: string;
    readonly amount: string;
  }[];
  readonly block: number | null;
  readonly isDropped: boolean;
}

interface Reported {
  readonly report: number;
  readonly accepted: number;
  readonly transaction: string | null;
}

/** The reference custodian in a separate process, whose blocks come only on demand. */
export class CustodianProcess {
  private constructor(
    private readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
    private readonly port: number,
    private readonly errors: Promise<string>,
  ) {}

  /** Starts it next to a sandbox, and waits until it answers. */
  static async start(dataDirectory: string, port: number): Promise<CustodianProcess> {
    const flags = [`--port=${port}`, `--data=${dataDirectory}`, '--block-seconds=0'];
    const child = Bun.spawn([process.execPath, 'examples/custodian/main.ts', ...flags], {
      ...{ cwd: ROOT, env: inherited(), stdio: ['ignore', 'pipe', 'pipe'] },
    });
    const errors = new Response(child.stderr).text();
    const started = await child.stdout.getReader().read();
    if (started.done) throw new Error(`the custodian ended: ${await errors}`);
    return new CustodianProcess(child, port, errors);
  }

  async status(): Promise<CustodianStatus> {
    return (await this.send('GET', '/')) as CustodianStatus;
  }

  async send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  }

  /** Kills it immediately. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.child.exited;
  }

  /** Stops it as its user does. @returns Its messages */
  async stop(): Promise<string> {
    this.child.kill('SIGTERM');
    await this.child.exited;
    return this.errors;
  }
}
