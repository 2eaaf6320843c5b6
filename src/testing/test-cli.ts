import { runCli } from '../cli/cli.ts';
import type { Environment } from '../cli/command.ts';

/** Runs a command in this process. @returns its exit code and output */
export async function runForTest(argv: readonly string[], env: Environment = {}) {
  const out: string[] = [];
  const error: string[] = [];
  const exitCode = await runCli(argv, env, {
    out: (line) => out.push(line),
    error: (line) => error.push(line),
    drained: () => Promise.resolve(),
  });
  return { exitCode, out: out.join('\n'), error: error.join('\n') };
}
