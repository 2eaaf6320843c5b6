import { join } from 'node:path';
import { inherited } from './inherited.ts';

const ROOT = join(import.meta.dir, '../..');
const TIMEOUT_MS = 120_000;

/** A `buttonwood …` process and its output. */
export class MainProcess {
  /** Its output so far, both streams in order of arrival. */
  output = '';
  private wake: () => void = () => {};
  private readonly gathered: Promise<unknown>;

  private constructor(private readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>) {
    this.gathered = Promise.all([this.collect(child.stdout), this.collect(child.stderr)]);
  }

  /** Spawns it; a sandbox has no market makers unless `env` enables them. */
  static start(args: readonly string[], env: Record<string, string>): MainProcess {
    const quiet =
      args[0] === 'start' ? { BUTTONWOOD_MAKERS: 'off' } : { BUTTONWOOD_DRAIN_SECONDS: '0' };
    return MainProcess.spawn([process.execPath, 'src/main.ts', ...args], { ...quiet, ...env });
  }

  static spawn(command: string[], env: Record<string, string>): MainProcess {
    // Settings of the test run must not reach this process.
    const settings = Object.entries(inherited()).filter(
      ([name]) => name !== 'PORT' && !name.startsWith('BUTTONWOOD_'),
    );
    const child = Bun.spawn(command, {
      cwd: ROOT,
      env: { ...Object.fromEntries(settings), PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new MainProcess(child);
  }

  /** Waits for a line that it prints. @returns The match. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const until = Date.now() + TIMEOUT_MS;
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      if (this.child.exitCode !== null || Date.now() > until) {
        throw new Error(`never printed ${pattern}: ${this.output}`);
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 1000).unref();
      });
    }
  }

  /** Waits until it serves. @returns Its base URL. */
  async serving(): Promise<string> {
    const [, url] = await this.printed(/(?:sandbox|serves) at (\S+?)[\s,]/);
    return url!;
  }

  get pid(): number {
    return this.child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Stops it as an operator does. @throws Error unless it exits with code 0. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const exitCode = await this.ended();
    if (exitCode !== 0) throw new Error(`ended with ${exitCode}: ${this.output}`);
  }

  /** Resolves to its exit code once it has ended and its output is complete. */
  async ended(): Promise<number> {
    const exitCode = await this.child.exited;
    await this.gathered;
    return exitCode;
  }

  private async collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      this.output += decoder.decode(bytes, { stream: true });
      this.wake();
    }
    this.wake();
  }
}
