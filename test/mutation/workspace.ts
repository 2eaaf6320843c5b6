import { join } from 'node:path';
import { CopiedSources } from '../copied-sources.ts';

export type Verdict = 'killed' | 'timeout' | 'survived';

export interface Trial {
  readonly verdict: Verdict;
  readonly cpuMs: number;
  /** Output of the test runner. */
  readonly output: string;
}

const preload = join(import.meta.dir, 'fixed-seed.ts');

/** A copy of the sources, in which one file at a time is changed. */
export class Workspace {
  private readonly sources: CopiedSources;

  constructor(root: string, parts: readonly string[]) {
    this.sources = new CopiedSources(root, 'buttonwood-mutants-', parts);
  }

  /**
   * Runs test files (paths from the root) in this order, up to the first failure, in one process.
   * @param runs Fraction of each property's runs.
   */
  async run(tests: readonly string[], runs: number, cpuLimitSeconds: number): Promise<Trial> {
    // Each file reloads all its modules. Most mutants are caught by the first two files, so the rest run as one.
    const rest = tests.slice(2).map((path) => `import './${path}';\n`);
    this.write('rest.test.ts', rest.join(''));
    const files = [...tests.slice(0, 2), ...(rest.length > 0 ? ['rest.test.ts'] : [])];
    const flags = ['test', '--bail', '--timeout=60000', `--preload=${preload}`];
    const { code, signal, output, cpuMs } = await this.sources.run(
      [...flags, ...files.map((file) => `./${file}`)],
      { BUTTONWOOD_TEST_RUNS: String(runs) },
      cpuLimitSeconds,
    );
    const isStopped = signal === 'SIGKILL' || signal === 'SIGXCPU';
    return {
      verdict: isStopped ? 'timeout' : code === 0 ? 'survived' : 'killed',
      cpuMs,
      output,
    };
  }

  write(path: string, text: string): void {
    this.sources.write(path, text);
  }

  remove(): void {
    this.sources.remove();
  }
}
