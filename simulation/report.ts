import { join } from 'node:path';
import type { Coverage } from './coverage.ts';
import { missing } from './expectations.ts';
import type { Case, Result } from './run.ts';

/** One line that says how a run goes. */
export function progressLine(coverage: Coverage, lives: number, seconds: number): string {
  const commands = commandsOf(coverage);
  const rate = Math.round(commands / Math.max(seconds, 0.001));
  const parts = [
    `${Math.floor(seconds)} s`,
    `${lives} lives`,
    `${commands} commands`,
    `${rate}/s`,
    `${coverage.of('event', 'trade')} trades`,
    `${coverage.total('crash') + coverage.of('fault', 'nodeKill')} crashes`,
    `${coverage.of('recovery', 'starts') + coverage.of('node', 'starts')} starts`,
    `${coverage.total('fault')} faults`,
    `${coverage.total('refusal')} refusals of damage`,
  ];
  return parts.join(' · ');
}

function commandsOf(coverage: Coverage): number {
  return coverage.total('outcome') + coverage.total('rejection');
}

/** Everything that happened and how often. */
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

/** What failed, where, and how to see it again. */
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
    'Once more:',
    `  ${commandLine(one)}`,
    '',
  ].join('\n');
}

export function commandLine({ seed, nodes, commands, without }: Case): string {
  const many = nodes > 1 ? ` --nodes ${nodes}` : '';
  const left = without.size > 0 ? ` --without ${[...without].join(',')}` : '';
  return `npm run simulate -- --seed ${seed}${many} --commands ${commands}${left}`;
}

/** Says that a run was worth little, and ends it, where something never happened that should have. */
export function requireAll(coverage: Coverage): void {
  const absent = missing(coverage);
  if (absent.length === 0) return;
  console.log(`FAILED: in all of this there was never ${absent.join(', ')}.`);
  process.exit(1);
}

function commitText(): string {
  const git = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], {
    cwd: join(import.meta.dir, '..'),
    stderr: 'ignore',
  });
  return git.success ? `, at commit ${git.stdout.toString().trim()}` : '';
}
