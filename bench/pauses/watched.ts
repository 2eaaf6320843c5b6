import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const LINE = /^longest pause (.*) (.*)$/gm;

/** A process with `watch.ts` preloaded. */
export class Watched {
  private readonly child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
  private output = '';

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = Bun.spawn([process.execPath, '--preload', './bench/pauses/watch.ts', ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    void this.gather(this.child.stdout);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null;
  }

  /** Returns the longest pause since the last call, and the maximum processor time in one. */
  async longestPause(): Promise<{ readonly pauseMs: number; readonly busyMs: number }> {
    const count = this.output.match(LINE)?.length ?? 0;
    this.child.kill('SIGUSR2');
    for (;;) {
      const lines = [...this.output.matchAll(LINE)];
      const [, pauseMs, busyMs] = lines.at(-1) ?? [];
      if (lines.length > count) return { pauseMs: Number(pauseMs), busyMs: Number(busyMs) };
      if (this.hasEnded) throw new Error('the process has ended');
      await Bun.sleep(10);
    }
  }

  async stop(): Promise<void> {
    this.child.kill('SIGINT');
    await this.child.exited;
  }

  kill(): void {
    this.child.kill(9);
  }

  private async gather(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.output += decoder.decode(bytes, { stream: true });
  }
}
