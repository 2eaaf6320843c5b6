import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Verdict = 'killed' | 'timeout' | 'survived';

export interface Trial {
  readonly verdict: Verdict;
  readonly cpuMs: number;
  /** What the test runner said. */
  readonly output: string;
}

/** Bounds one that waits for what never comes; one that computes for ever is bounded by its CPU time. */
const WALL_LIMIT_MS = 600_000;
/** Some mutants fill memory in a loop. */
const MEMORY_LIMIT_KIB = 4_000_000;
const preload = join(import.meta.dir, 'fixed-seed.ts');

/** A copy of the sources, in which one file at a time is changed. */
export class Workspace {
  private readonly directory = mkdtempSync(join(tmpdir(), 'buttonwood-mutants-'));
  private child: Bun.Subprocess | undefined;

  constructor(root: string, parts: readonly string[]) {
    for (const part of parts) {
      cpSync(join(root, part), join(this.directory, part), { recursive: true });
    }
    const modules = join(this.directory, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules);
  }

  /**
   * Runs test files (paths from the root), in this order and up to the first failure, in one process. Fewer
   * runs of each property than 1 says take as much less time.
   */
  async run(tests: readonly string[], runs: number, cpuLimitSeconds: number): Promise<Trial> {
    // Each file loads all its modules anew. Most mutants fall to the first two; few see the rest, as one.
    const rest = tests.slice(2).map((path) => `import './${path}';\n`);
    writeFileSync(join(this.directory, 'rest.test.ts'), rest.join(''));
    const files = [...tests.slice(0, 2), ...(rest.length > 0 ? ['rest.test.ts'] : [])];
    const limits = `ulimit -t ${Math.ceil(cpuLimitSeconds)}; ulimit -d ${MEMORY_LIMIT_KIB}`;
    const command = `${limits}; exec "$0" test --bail --timeout=60000 --preload="${preload}" "$@"`;
    const child = Bun.spawn(
      ['sh', '-c', command, process.execPath, ...files.map((file) => `./${file}`)],
      {
        cwd: this.directory,
        env: { ...process.env, BUTTONWOOD_TEST_RUNS: String(runs) },
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: WALL_LIMIT_MS,
        killSignal: 'SIGKILL',
      },
    );
    this.child = child;
    const output = await new Response(child.stderr).text();
    const code = await child.exited;
    const isStopped = child.signalCode === 'SIGKILL' || child.signalCode === 'SIGXCPU';
    const verdict = isStopped ? 'timeout' : code === 0 ? 'survived' : 'killed';
    return { verdict, cpuMs: Number(child.resourceUsage()!.cpuTime.total) / 1000, output };
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.directory, path), text);
  }

  remove(): void {
    this.child?.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
