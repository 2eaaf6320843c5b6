import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataPaths } from '../../src/config/data-paths.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { readCredentials } from '../../src/sandbox/credentials-file.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { LogOnNats } from './log-on-nats.ts';

describeWithServers('buttonwood keys recover, with a log on NATS', () => {
  let log: LogOnNats;
  const path = mkdtempSync(join(tmpdir(), 'buttonwood-recover-'));
  beforeAll(async () => {
    log = await LogOnNats.start();
  });
  afterAll(async () => {
    await log?.stop();
    rmSync(path, { recursive: true });
  });

  const recover = (stream: string) =>
    runForTest(['keys', 'recover', '--log', log.url(), '--log-stream', stream, '--json'], {
      BUTTONWOOD_DATA: path,
    });

  test('creates an operator key that every node accepts, running ones included', async () => {
    const stream = await log.newStream();
    const node = await log.startNode(stream, 'a');
    await node.send([
      { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false },
      { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId: 'operator', limitClass: 1 },
    ]);
    const { exitCode, out } = await recover(stream);
    expect(exitCode).toBe(0);
    const { apiKey } = readCredentials(dataPaths(path).operator)!.accounts[0]!;
    const recovered = JSON.parse(out);
    expect(recovered.apiKey).toBe(apiKey);
    await node.reaches(recovered.logPosition);
    expect(node.replica.exchange.state.keysByApiKey.get(apiKey)).toMatchObject({
      label: 'recovered',
    });
    await node.close();
    const other = await log.startNode(stream, 'b');
    expect(other.replica.exchange.state.keysByApiKey.has(apiKey)).toBe(true);
    await other.close();
    const again = await recover(stream);
    expect([again.exitCode, again.error]).toEqual([1, expect.stringContaining('works')]);
  });

  test('rejects a sandbox and changes nothing', async () => {
    const { stream, node } = await log.exchange();
    const { position } = node;
    const { exitCode, error } = await recover(stream);
    expect([exitCode, error]).toEqual([1, expect.stringContaining('sandbox')]);
    await node.send([{ kind: CommandKind.tick }]);
    // Only the join of the command's own node came in between.
    expect(node.position).toBe(position + 2);
    await node.close();
  });
});
