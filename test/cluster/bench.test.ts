import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithServers } from './describe-with-servers.ts';

const ROOT = join(import.meta.dir, '../..');
const LIMIT_MS = 240_000;
const LOOK_EVERY_MS = 100;
/** After the end of the bench: the shell that watches over PostgreSQL's directory looks every two seconds. */
const GONE_WITHIN_MS = 10_000;
const SMALL = ['--seconds', '1', '--connections', '4', '--accounts', '2', '--nodes', '1'];

describeWithServers('npm run bench:cluster', () => {
  test(
    'ends by itself, and with it all that it has started',
    async () => {
      const bench = Bun.spawn([process.execPath, 'bench/cluster.ts', ...SMALL], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output = Promise.all([
        new Response(bench.stdout).text(),
        new Response(bench.stderr).text(),
      ]);
      const started = new Map<number, string>();
      while (bench.exitCode === null && bench.signalCode === null) {
        for (const { pid, command } of descendantsOf(bench.pid)) {
          // One that has ended has lost its command line.
          if (!command.endsWith('<defunct>')) started.set(pid, command);
        }
        await Bun.sleep(LOOK_EVERY_MS);
      }
      const [out, error] = await output;
      expect([bench.exitCode, error]).toEqual([0, expect.any(String)]);
      expect(JSON.parse(out).nodes[1].ordersPerSecond).toBeGreaterThan(0);

      const commands = [...started.values()].join('\n');
      for (const each of ['postgres -D ', 'nats-server -c ', 'src/main.ts start']) {
        expect(commands).toContain(each);
      }
      const directory = / -D (\S+)\/data /.exec(commands)![1]!;
      // Those of other tests run beside it: a number may be another process's by now.
      const left = () =>
        processes().filter(
          ({ pid, command }) => started.get(pid) === command || command.includes(directory),
        );
      for (const until = Date.now() + GONE_WITHIN_MS; left().length > 0 && Date.now() < until; ) {
        await Bun.sleep(LOOK_EVERY_MS);
      }
      expect(left()).toEqual([]);
      expect(existsSync(directory)).toBe(false);
    },
    LIMIT_MS,
  );
});

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): Process[] {
  const { stdout } = Bun.spawnSync(['ps', '-A', '-ww', '-o', 'pid=,ppid=,command=']);
  return [...stdout.toString().matchAll(/^ *(\d+) +(\d+) +(.*)$/gm)].map(
    ([, pid, parent, command]) => ({
      ...{ pid: Number(pid), parent: Number(parent), command: command! },
    }),
  );
}

/** A process that has just been started may not have its own command yet: it is looked at again. */
function descendantsOf(ancestor: number): Process[] {
  const all = processes();
  const found: Process[] = [];
  const parents = new Set([ancestor]);
  for (let size = 0; size < parents.size; ) {
    size = parents.size;
    for (const each of all) {
      if (!parents.has(each.parent) || parents.has(each.pid)) continue;
      parents.add(each.pid);
      found.push(each);
    }
  }
  return found;
}
