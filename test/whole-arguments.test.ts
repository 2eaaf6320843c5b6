import { expect, test } from 'bun:test';

/** Tests that long runs do not treat an invalid argument as a successful run. */
test.each([
  ['test/process/crash.ts', 'npm run test:crash', ['--rounds=ten', '--rounds=-1', '--clients=0']],
  ['test/process/faults.ts', 'npm run test:faults', ['--rounds=', '--orders=1.5', '--clients=-3']],
  ['test/security/credentials.ts', 'npm run test:credentials', ['--attempts=1e', '--sockets=0']],
  ['test/security/timing.ts', 'npm run test:timing', ['--samples=many', '--seed=-1']],
  ['test/fuzz/main.ts', 'npm run test:fuzz', ['--requests=many', '--world=-1', '--request=5']],
])(
  '%s runs nothing if an argument is not a number',
  async (path, usage, wrong) => {
    for (const argument of wrong) {
      const run = Bun.spawn([process.execPath, path, argument], { stderr: 'pipe', stdout: 'pipe' });
      const output = await new Response(run.stderr).text();
      expect([argument, await run.exited]).toEqual([argument, 2]);
      expect(output).toContain(usage);
    }
  },
  30_000,
);
