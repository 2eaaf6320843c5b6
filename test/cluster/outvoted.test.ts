import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runForTest } from '../../src/testing/test-cli.ts';
import { CopiedSources } from '../copied-sources.ts';
import { MainProcess } from '../process/main-process.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const ROOT = join(import.meta.dir, '../..');
const LIMIT_MS = 120_000;
/** A damaged build, whose state differs from the first command on. */
const DIGEST = 'src/engine/digest.ts';
const [RIGHT, WRONG] = ['return product ^ (product >>> 15);', 'return product ^ (product >>> 16);'];
const STREAM = 'outvoted';

/** A node whose state differs from the others', started repeatedly. */
describeWithServers('a node that lost a dispute', () => {
  let nats: Nats;
  let postgres: PostgresServer;
  let env: Record<string, string>;
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-outvoted-'));
  const damaged = new CopiedSources(ROOT, 'buttonwood-damaged-', ['src', 'web', 'package.json']);
  const running: MainProcess[] = [];

  beforeAll(async () => {
    const text = readFileSync(join(ROOT, DIGEST), 'utf8');
    expect(text.split(RIGHT)).toHaveLength(2);
    damaged.write(DIGEST, text.replace(RIGHT, WRONG));
    [nats, postgres] = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    env = {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_STREAM: STREAM,
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_DATABASE: await postgres.createDatabase(STREAM),
      BUTTONWOOD_MAKERS: 'off',
    };
  }, LIMIT_MS);
  afterAll(async () => {
    for (const process of running) process.signal('SIGKILL');
    await Promise.all(running.map((process) => process.ended()));
    damaged.remove();
    await Promise.all([nats.stop(), postgres.stop()]);
    rmSync(directory, { recursive: true });
  });

  const makeSettings = (node: string) => ({
    ...env,
    PORT: '0',
    BUTTONWOOD_NODE: node,
    BUTTONWOOD_DATA: join(directory, node),
  });

  async function startSound(node: string): Promise<MainProcess> {
    const process = MainProcess.start(['start'], makeSettings(node));
    running.push(process);
    await process.serving();
    return process;
  }

  const startDamaged = () => damaged.run([join('src', 'main.ts'), 'start'], makeSettings('c'));

  const readmit = (node: string) =>
    runForTest(['readmit', node, '--log', env.BUTTONWOOD_LOG!, '--log-stream', STREAM]);

  async function lastSequence(): Promise<number> {
    const page = await nats.servers[0]!.monitor('/jsz?streams=true&accounts=true');
    const streams = JSON.stringify(page);
    const state = /"name":"outvoted".*?"last_seq":(\d+)/.exec(streams);
    return Number(state![1]);
  }

  test(
    'stops writes once, and cannot start again until it is readmitted',
    async () => {
      const sound = [await startSound('a'), await startSound('b')];
      const lost = await startDamaged();
      expect([lost.code, lost.output]).toEqual([
        1,
        expect.stringMatching(/hold different states .* may not start again until an operator/),
      ]);
      for (const process of sound) {
        await process.printed(/Node c may not start until an operator has readmitted it/);
      }

      const refused = await startDamaged();
      expect([refused.code, refused.output]).toEqual([
        1,
        expect.stringMatching(/Node c may not start, .* buttonwood readmit c --log/),
      ]);
      // It sent nothing: there was no dispute, and the others kept running.
      expect(refused.output).not.toMatch(/hold different states/);
      for (const process of sound) {
        expect(process.output.match(/differed from that of most nodes/g)).toHaveLength(1);
      }
      const before = await lastSequence();
      while ((await lastSequence()) === before) await Bun.sleep(100);

      // The correct release may not start either, until an operator readmits the node.
      const still = MainProcess.start(['start'], makeSettings('c'));
      expect(await still.ended()).toBe(1);
      expect((await readmit('b')).error).toContain('Blocked: c.');
      const readmitted = await readmit('c');
      expect([readmitted.exitCode, readmitted.out]).toEqual([
        0,
        expect.stringContaining('Node c may start again.'),
      ]);
      expect((await readmit('c')).error).toContain('No node is blocked.');
      await startSound('c');
      for (const process of sound) {
        expect(process.output.match(/differed from that of most nodes/g)).toHaveLength(1);
      }
    },
    LIMIT_MS,
  );
});
