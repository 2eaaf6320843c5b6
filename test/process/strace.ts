import { describeWherePossible } from '../describe-where-possible.ts';

/**
 * Describes tests that trace system calls or make them fail. If strace cannot run, they are skipped
 * with a warning; in CI, which installs it, they fail.
 */
export function describeWithStrace(name: string, tests: () => void): void {
  describeWherePossible(name, straceProblem(), 'install strace and allow ptrace', tests);
}

/** Returns the reason why strace cannot run here; undefined if it can. */
function straceProblem(): string | undefined {
  if (Bun.which('strace') === null) return 'there is no strace';
  const { exitCode, stderr } = Bun.spawnSync(strace('/dev/null', ['-e', 'trace=none', 'true']));
  return exitCode === 0 ? undefined : `strace fails: ${stderr.toString().trim()}`;
}

/** Returns the start of a command line that traces all threads of the appended command into `output`. */
export function strace(output: string, args: readonly string[]): string[] {
  return ['strace', '-f', '--seccomp-bpf', '-qq', '-o', output, ...args];
}

/** A system call on a file that is made to fail. */
export interface Injection {
  readonly call: 'pwrite64' | 'fdatasync' | 'rename';
  /** The file of the call. */
  readonly path: string;
  /** The error that the call returns without being executed, such as EIO. */
  readonly error: string;
  /** Number of the failing call in its thread, starting at 1. */
  readonly when: number;
}

export function injecting(output: string, { call, path, error, when }: Injection): string[] {
  const which = ['-P', path, '-e', 'trace=pwrite64,fdatasync,rename'];
  return strace(output, [...which, '-e', `inject=${call}:error=${error}:when=${when}`]);
}
