import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadResult } from './load.ts';
import type { OpenLoopResult } from './open-loop.ts';

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;
/** A minute: a sandbox that creates its history first takes some seconds. */
const MAX_TRIES = 1200;
const ROOT = join(import.meta.dir, '../..');

/** The processes of a bench: servers, and the load on them. */
export class Processes {
  private readonly children: Bun.Subprocess[] = [];

  /** Starts a server and waits until it answers. */
  async serve(
    args: string[],
    port: number,
    env: Record<string, string> = {},
  ): Promise<Bun.Subprocess> {
    const child = Bun.spawn([process.execPath, ...args], {
      cwd: ROOT,
      env: { ...process.env, PORT: `${port}`, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.children.push(child);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (child.exitCode !== null) throw new Error(`the server on port ${port} ended`);
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      if (answer !== undefined) return child;
      await Bun.sleep(50);
    }
    throw new Error(`nothing answers on port ${port}`);
  }

  /** Starts a sandbox without market makers. @returns the credentials of its accounts */
  async serveSandbox(port: number, directory: string, rateLimits: 'off' | 'spec') {
    const data = join(directory, 'data');
    await this.serve(['src/main.ts', 'start'], port, {
      BUTTONWOOD_DATA: data,
      BUTTONWOOD_RATE_LIMITS: rateLimits,
      BUTTONWOOD_MAKERS: 'off',
    });
    return JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));
  }

  /** Returns the CPU time that the first server has used, in user and system mode, ms, from /proc; 0 where there is none. */
  get cpuMs(): number {
    const { pid } = this.children[0]!;
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) return 0;
    const fields = readFileSync(path, 'latin1').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }

  /** Sends the requests of a file in a loop, on a number of connections. */
  async load(
    port: number,
    requests: string,
    seconds: number,
    connections: number,
  ): Promise<LoadResult> {
    return this.print(['bench/rest/load.ts', `${port}`, requests, `${seconds}`, `${connections}`]);
  }

  /** Sends them at a steady rate, with a maximum number of connections. */
  async offer(
    port: number,
    requests: string,
    perSecond: number,
    seconds: number,
    connections: number,
  ): Promise<OpenLoopResult> {
    const numbers = [perSecond, seconds, connections].map(String);
    return this.print(['bench/rest/open-loop.ts', `${port}`, requests, ...numbers]);
  }

  /** Returns the JSON that a program prints. */
  async print<T>(args: string[]): Promise<T> {
    const child = Bun.spawn([process.execPath, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    const result = (await new Response(child.stdout).json()) as T;
    await child.exited;
    return result;
  }

  /** Starts a program that runs until the end of the bench. @returns The first line that it prints. */
  async start(args: string[]): Promise<string> {
    const child = Bun.spawn([process.execPath, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.push(child);
    let text = '';
    for await (const chunk of child.stdout) {
      text += Buffer.from(chunk).toString();
      if (text.includes('\n')) break;
    }
    return text.trim();
  }

  /** Stops a server with SIGTERM, and waits for its exit. */
  async stop(child: Bun.Subprocess): Promise<void> {
    child.kill('SIGTERM');
    await child.exited;
  }

  async end(): Promise<void> {
    for (const child of this.children) child.kill();
    await Promise.all(this.children.map((child) => child.exited));
  }
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
