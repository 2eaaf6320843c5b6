import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Timeout of a program that never ends, far above the duration of the slowest tests. */
const WALL_LIMIT_MS = 600_000;
/** Memory limit, because some mistakes fill memory in a loop. */
const MEMORY_LIMIT_KIB = 4_000_000;

export interface Ended {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly signal: Bun.Subprocess['signalCode'];
  /** Its output. */
  readonly output: string;
  readonly seconds: number;
  readonly cpuMs: number;
}

/** A copy of the sources for running programs with a mistake. */
export class CopiedSources {
  private readonly directory: string;
  private child: Bun.Subprocess | undefined;

  /** @param name Prefix of the directory's name. @param parts Paths to copy, from the root. */
  constructor(root: string, name: string, parts: readonly string[]) {
    this.directory = mkdtempSync(join(tmpdir(), name));
    for (const part of parts) {
      cpSync(join(root, part), join(this.directory, part), { recursive: true });
    }
    const modules = join(this.directory, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.directory, path), text);
  }

  /** Runs Bun with these arguments. @param cpuSeconds Limit for a program that computes endlessly. */
  async run(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    cpuSeconds?: number,
  ): Promise<Ended> {
    const began = performance.now();
    const limits = [`-d ${MEMORY_LIMIT_KIB}`];
    if (cpuSeconds !== undefined) limits.push(`-t ${Math.ceil(cpuSeconds)}`);
    const script = [...limits.map((limit) => `ulimit ${limit}`), 'exec "$0" "$@" 2>&1'].join('; ');
    const child = Bun.spawn(['sh', '-c', script, process.execPath, ...args], {
      cwd: this.directory,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: WALL_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    this.child = child;
    const output = await new Response(child.stdout).text();
    await child.exited;
    return {
      code: child.exitCode ?? undefined,
      signal: child.signalCode,
      output,
      seconds: (performance.now() - began) / 1000,
      cpuMs: Number(child.resourceUsage()!.cpuTime.total) / 1000,
    };
  }

  remove(): void {
    this.child?.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
