import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';

const SCRIPT = `
  import { getPriority } from 'node:os';
  import { yieldToServing } from ${JSON.stringify(join(import.meta.dir, 'thread-priority.ts'))};
  yieldToServing();
  console.log(getPriority());
`;

// Other systems have no thread priorities to set.
const added = existsSync('/proc/thread-self') ? 5 : 0;

test.each([0, 3, 19])(
  'a thread lowers its priority in a process with niceness raised by %i',
  (raised) => {
    const initial = Math.min(19, getPriority() + raised);
    const { stdout, stderr } = Bun.spawnSync([
      'nice',
      '-n',
      `${raised}`,
      process.execPath,
      '-e',
      SCRIPT,
    ]);
    expect(stderr.toString()).toBe('');
    expect(Number(stdout.toString())).toBe(Math.min(19, initial + added));
  },
);
