import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bug, plant } from './bug.ts';

const PARTS = ['src', 'test', 'simulation', 'web', 'bin', 'package.json', 'tsconfig.json'];
/** What waits for ever is stopped; the slowest catcher takes a small part of it. */
const WALL_LIMIT_MS = 600_000;
const MEMORY_LIMIT_KIB = 4_000_000;

export interface Ended {
  /** Undefined where it was stopped. */
  readonly code: number | undefined;
  readonly output: string;
  readonly seconds: number;
}

/** A copy of the sources, in which one bug at a time is planted. */
export class Copy {
  private readonly directory = mkdtempSync(join(tmpdir(), 'buttonwood-planted-'));
  private child: Bun.Subprocess | undefined;

  constructor(private readonly root: string) {
    for (const part of PARTS) {
      cpSync(join(root, part), join(this.directory, part), { recursive: true });
    }
    const modules = join(this.directory, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
  }

  /** Runs something while the bug is there, or while none is. */
  async with<Result>(bug: Bug | undefined, work: () => Promise<Result>): Promise<Result> {
    if (bug === undefined) return work();
    const source = readFileSync(join(this.root, bug.file), 'utf8');
    writeFileSync(join(this.directory, bug.file), plant(bug, source));
    try {
      return await work();
    } finally {
      writeFileSync(join(this.directory, bug.file), source);
    }
  }

  /** Runs Bun with these arguments. */
  async run(...args: string[]): Promise<Ended> {
    const began = performance.now();
    const command = ['sh', '-c', `ulimit -d ${MEMORY_LIMIT_KIB}; exec "$0" "$@" 2>&1`];
    const child = Bun.spawn([...command, process.execPath, ...args], {
      cwd: this.directory,
      env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: WALL_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    this.child = child;
    const output = await new Response(child.stdout).text();
    await child.exited;
    const seconds = (performance.now() - began) / 1000;
    return { code: child.exitCode ?? undefined, output, seconds };
  }

  remove(): void {
    this.child?.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
