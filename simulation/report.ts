import { join } from 'node:path';
import type { Coverage } from './coverage.ts';
import { missing } from './expectations.ts';
import type { Case, Result } from './run.ts';

/** Returns a line with the progress of a simulation. */
export function progressLine(coverage: Coverage, runs: number, seconds: number): string {
  const commands = countCommands(coverage);
  const rate = Math.round(commands / Math.max(seconds, 0.001));
  const parts = [
    `${Math.floor(seconds)} s`,
    `${runs} runs`,
    `${commands} commands`,
    `${rate}/s`,
    `${coverage.get('event', 'trade')} trades`,
    `${coverage.total('crash') + coverage.get('fault', 'nodeKill')} crashes`,
    `${coverage.get('recovery', 'starts') + coverage.get('node', 'starts')} starts`,
    `${coverage.total('fault')} faults`,
    `${coverage.total('refusal')} damaged disks refused`,
  ];
  return parts.join(' · ');
}

function countCommands(coverage: Coverage): number {
  return coverage.total('outcome') + coverage.total('rejection');
}

/** Returns all counts, one group per line. */
export function summary(coverage: Coverage): string {
  const lines: string[] = [];
  const width = Math.max(...[...coverage.groups.keys()].map((group) => group.length));
  for (const [group, names] of [...coverage.groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const counts = [...names]
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`);
    lines.push(`  ${group.padEnd(width)}  ${counts.join(', ')}`);
  }
  return lines.join('\n');
}

/** Returns the error of a failed run, its last steps, and the command that repeats it. */
export function failureText({ case: one, failure, lastSteps }: Result): string {
  const error = failure!;
  return [
    '',
    `FAILED with seed ${one.seed} after ${one.commands} commands${commitText()}`,
    '',
    `${error.stack ?? error}`,
    '',
    'The last steps:',
    ...lastSteps.slice(-20).map((line) => `  ${line}`),
    '',
    'To repeat:',
    `  ${commandLine(one)}`,
    '',
  ].join('\n');
}

export function commandLine({ seed, nodes, commands, without }: Case): string {
  const many = nodes > 1 ? ` --nodes ${nodes}` : '';
  const left = without.size > 0 ? ` --without ${[...without].join(',')}` : '';
  return `npm run simulate -- --seed ${seed}${many} --commands ${commands}${left}`;
}

/** Exits with an error if something never happened that should have. */
export function requireAll(coverage: Coverage): void {
  const absent = missing(coverage);
  if (absent.length === 0) return;
  console.log(`FAILED: this never happened: ${absent.join(', ')}.`);
  process.exit(1);
}

function commitText(): string {
  const git = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], {
    cwd: join(import.meta.dir, '..'),
    stderr: 'ignore',
  });
  return git.success ? `, at commit ${git.stdout.toString().trim()}` : '';
}
