import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithServers } from './describe-with-servers.ts';

const ROOT = join(import.meta.dir, '../..');
const LIMIT_MS = 240_000;
const LOOK_EVERY_MS = 100;
/** Time after the end of the bench: the shell that watches PostgreSQL's directory polls every two seconds. */
const GONE_WITHIN_MS = 10_000;
const SMALL = ['--seconds', '1', '--connections', '4', '--accounts', '2', '--nodes', '1'];

describeWithServers('npm run bench:cluster', () => {
  test(
    'ends by itself, with all processes that it started',
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
      const seen = new Set<string>();
      while (bench.exitCode === null && bench.signalCode === null) {
        for (const { pid, command } of listDescendants(bench.pid)) {
          // An ended process has no command line.
          if (command.endsWith('<defunct>')) continue;
          started.set(pid, command);
          // A process may become another program, or change its title when it ends.
          seen.add(command);
        }
        await Bun.sleep(LOOK_EVERY_MS);
      }
      const [out, error] = await output;
      expect([bench.exitCode, error]).toEqual([0, expect.any(String)]);
      expect(JSON.parse(out).nodes[1].ordersPerSecond).toBeGreaterThan(0);

      const commands = [...seen].join('\n');
      for (const each of ['postgres -D ', 'nats-server -c ', 'src/main.ts start']) {
        expect(commands).toContain(each);
      }
      const directory = / -D (\S+)\/data /.exec(commands)![1]!;
      // Other tests run at the same time, so a process id may have been reused.
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
      pid: Number(pid),
      parent: Number(parent),
      command: command!,
    }),
  );
}

/** Reads a process's command again if it was just started and does not have its own command yet. */
function listDescendants(ancestor: number): Process[] {
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
