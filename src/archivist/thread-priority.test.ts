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

// Other systems leave a thread as it is.
const behind = existsSync('/proc/thread-self') ? 5 : 0;

test.each([0, 3, 19])('a thread of a process started nicer by %i goes behind', (nicer) => {
  const begun = Math.min(19, getPriority() + nicer);
  const { stdout, stderr } = Bun.spawnSync([
    ...['nice', '-n', `${nicer}`, process.execPath, '-e', SCRIPT],
  ]);
  expect(stderr.toString()).toBe('');
  expect(Number(stdout.toString())).toBe(Math.min(19, begun + behind));
});
