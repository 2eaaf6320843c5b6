import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-ports.ts';
import { inherited } from './inherited.ts';

const ROOT = join(import.meta.dir, '../..');
/** Only limits a hang, because the machine may be busy. */
const START_TIMEOUT_MS = 120_000;

export interface Credential {
  readonly name: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly permissions: readonly string[];
  /** A key that signs with HMAC, in the sandbox. */
  readonly binance?: { readonly apiKey: string; readonly apiSecret: string };
}

/** A real exchange in a separate process, with real files and a real socket. */
export class ExchangeProcess {
  private constructor(
    private readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
    readonly baseUrl: string,
    /** Empty for a cluster node if another one created the exchange. */
    readonly credentials: readonly Credential[],
    private readonly output: Promise<string>,
    /** Process id of the exchange, if `child` is its watcher. */
    readonly pid: number,
    /** The options with which requests trust its certificate, if it has one. */
    readonly tls: { readonly ca?: string },
  ) {}

  /**
   * Starts the sandbox without market makers in a data directory, on a free port or `env.PORT` of loopback or
   * `env.BUTTONWOOD_HOST`, and waits until it answers.
   * @param watcher The beginning of a command line that runs the rest of it, such as strace's.
   * @param within The beginning of a command line that becomes the rest of it, such as nsenter's.
   */
  static async start(
    dataDirectory: string,
    env: Record<string, string> = {},
    runtimeFlags: readonly string[] = [],
    watcher: readonly string[] = [],
    within: readonly string[] = [],
  ): Promise<ExchangeProcess> {
    const port = env.PORT ?? `${freePort()}`;
    const exchange = [process.execPath, ...runtimeFlags, 'src/main.ts', 'start'];
    const child = Bun.spawn([...within, ...watcher, ...exchange], {
      cwd: ROOT,
      env: {
        ...inherited(),
        PORT: port,
        BUTTONWOOD_DATA: dataDirectory,
        BUTTONWOOD_RATE_LIMITS: 'off',
        BUTTONWOOD_MAKERS: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]).then((parts) => parts.join('\n'));
    const certificate = env.BUTTONWOOD_TLS_CERT;
    const scheme = certificate === undefined ? 'http' : 'https';
    const tls = certificate === undefined ? {} : { ca: readFileSync(certificate, 'utf8') };
    const baseUrl = `${scheme}://${env.BUTTONWOOD_HOST ?? '127.0.0.1'}:${port}`;
    const until = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const answer = await fetch(`${baseUrl}/`, { tls }).catch(() => undefined);
      if (answer !== undefined) break;
      if (child.exitCode !== null) throw new Error(`the exchange ended: ${await output}`);
      if (Date.now() > until) {
        child.kill('SIGKILL');
        throw new Error(`the exchange does not answer: ${await output}`);
      }
      await Bun.sleep(20);
    }
    const path = join(dataDirectory, 'sandbox.json');
    const { accounts } = existsSync(path)
      ? JSON.parse(readFileSync(path, 'utf8'))
      : { accounts: [] };
    const { pid } = child;
    const watched = watcher.length > 0 ? findOnlyChild(pid) : pid;
    return new ExchangeProcess(child, baseUrl, accounts, output, watched, tls);
  }

  credential(name: string): Credential {
    return this.credentials.find((credential) => credential.name === name)!;
  }

  /** Sends a request with a key. @throws Error if the exchange does not answer. */
  async send(
    credential: Pick<Credential, 'apiKey' | 'apiSecret'>,
    method: string,
    path: string,
    body?: string,
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  ): Promise<{ status: number; json: any }> {
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${credential.apiKey}`,
        'X-API-Secret': credential.apiSecret,
        'Content-Type': 'application/json',
      },
      ...(body === undefined ? {} : { body }),
      tls: this.tls,
    });
    return { status: answer.status, json: await answer.json() };
  }

  /** Kills it immediately, as a power loss does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.child.exited;
  }

  /** Stops it as an operator does. @returns The exit code and its output. */
  async stop(): Promise<{ exitCode: number; output: string }> {
    this.signal('SIGTERM');
    return this.ended();
  }

  /** Pauses it; its connections stay open. */
  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  private signal(signal: NodeJS.Signals): void {
    // After its end another process may have its id.
    if (this.child.exitCode === null && this.child.signalCode === null) {
      process.kill(this.pid, signal);
    }
  }

  async ended(): Promise<{ exitCode: number; output: string }> {
    const exitCode = await this.child.exited;
    return { exitCode, output: await this.output };
  }
}

function findOnlyChild(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** Creates a directory, which the returned `remove` removes. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'buttonwood-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
