import { describeWherePossible } from '../describe-where-possible.ts';

/**
 * Tests that look at system calls, or make them fail. Where strace cannot run they are passed over
 * aloud; in CI, which installs it, they fail.
 */
export function describeWithStrace(name: string, tests: () => void): void {
  describeWherePossible(name, straceProblem(), 'install strace and allow ptrace', tests);
}

/** Why strace cannot run here, undefined where it can. */
function straceProblem(): string | undefined {
  if (Bun.which('strace') === null) return 'there is no strace';
  const { exitCode, stderr } = Bun.spawnSync(strace('/dev/null', ['-e', 'trace=none', 'true']));
  return exitCode === 0 ? undefined : `strace fails: ${stderr.toString().trim()}`;
}

/** The beginning of a command line: what follows it is run, all its threads watched, calls go to `output`. */
export function strace(output: string, args: readonly string[]): string[] {
  return ['strace', '-f', '--seccomp-bpf', '-qq', '-o', output, ...args];
}

/** One kind of system call on one file is made to fail. */
export interface Injection {
  readonly call: 'pwrite64' | 'fdatasync' | 'rename';
  /** Only calls on this file count. */
  readonly path: string;
  /** What the call gives instead of being made, such as EIO. */
  readonly error: string;
  /** Which call of a thread fails, 1 for its first. */
  readonly when: number;
}

export function injecting(output: string, { call, path, error, when }: Injection): string[] {
  const which = ['-P', path, '-e', 'trace=pwrite64,fdatasync,rename'];
  return strace(output, [...which, '-e', `inject=${call}:error=${error}:when=${when}`]);
}
