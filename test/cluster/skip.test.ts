import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import type { PoisonedCommandError } from '../../src/archivist/recovery.ts';
import { CommandKind } from '../../src/engine/command.ts';
import { Side } from '../../src/engine/terms.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { POISON } from '../../src/testing/test-directory.ts';
import { command, limitOrder } from '../../src/testing/test-exchange.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { HALF, LogOnNats, toName } from './log-on-nats.ts';
import { startPostgres } from './postgres.ts';
import type { StreamNode } from './stream-node.ts';

const order = limitOrder(2, Side.buy, 900, 77);

describeWithServers('buttonwood skip with a log on NATS', () => {
  let log: LogOnNats;
  beforeAll(async () => {
    log = await LogOnNats.start();
  });
  afterAll(() => log?.stop());

  /** Returns two nodes that stopped at batch 14, which has a valid order, the poison, and another valid order. */
  async function poisoned(snapshotsAt?: readonly number[]) {
    const { stream, node } = await log.exchange(snapshotsAt);
    const other = await log.startNode(stream, 'b');
    void node.send([order, POISON, order]);
    const failures = await Promise.all([node.failure, other.failure]);
    return { stream, nodes: [node, other], failures };
  }

  /** Returns the stream of a single node that stopped at batch 13, after snapshots to which the log was trimmed. */
  async function trimmed(): Promise<string> {
    const { stream, node } = await log.exchange([6, 9]);
    void node.send([order, POISON, order]);
    await node.failure;
    return stream;
  }

  function run(command: string, stream: string, ...options: string[]) {
    return runForTest([command, '--log', log.url(), '--log-stream', stream, ...options]);
  }

  function skip(stream: string, sequence: number, index: number, ...options: string[]) {
    const place = ['--sequence', `${sequence}`, '--index', `${index}`, '--reason', 'ticket 12'];
    return run('skip', stream, ...place, ...options);
  }

  async function verify(stream: string) {
    return JSON.parse((await run('verify', stream, '--json')).out);
  }

  async function lastSequence(stream: string): Promise<number> {
    const manager = await jetstreamManager(log.connection);
    return (await manager.streams.info(stream)).state.last_seq;
  }

  /** Returns the error of a rejected skip, which must change nothing. */
  async function refused(stream: string, sequence: number, index: number): Promise<string> {
    const before = await lastSequence(stream);
    const { exitCode, out, error } = await skip(stream, sequence, index);
    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(await lastSequence(stream)).toBe(before);
    return error;
  }

  /** Restarts the nodes, and sends a command through each. */
  async function restartNodes(stream: string): Promise<StreamNode[]> {
    const nodes = [await log.startNode(stream, 'a'), await log.startNode(stream, 'b')];
    await nodes[0]!.send([order]);
    await nodes[1]!.send([order]);
    await nodes[0]!.reaches(nodes[1]!.position);
    return nodes;
  }

  test('stopped nodes continue without the command and with all others', async () => {
    const { stream, nodes, failures } = await poisoned([6]);
    for (const [index, failure] of failures.entries()) {
      expect(failure).toMatchObject({ sequence: 14, index: 1 });
      expect(nodes[index]!.archivist.failure!.message).toBe(failure.message);
    }
    const stopped = await run('verify', stream);
    expect(stopped.exitCode).toBe(1);
    expect(stopped.out).toContain(
      `buttonwood skip --log nats://… --log-stream ${stream} --sequence 14 --index 1`,
    );
    await expect(log.startNode(stream, 'a')).rejects.toThrow('breaks an invariant');

    const { exitCode, out } = await skip(stream, 14, 1);
    expect(exitCode).toBe(0);
    expect(out).toContain('Command 1 of batch 14 is skipped from now on; batch 16 records it.');
    expect(out).toMatch(/Cause +the log opens the exchange twice/);
    expect(out).toMatch(/kind +open/);
    expect(out).toContain('Start the nodes again');

    const again = await restartNodes(stream);
    const data = await verify(stream);
    expect(data).toMatchObject({
      sound: true,
      problems: [],
      logPosition: 20,
      snapshots: [6],
      skips: [{ sequence: 14, index: 1, reason: 'ticket 12' }],
    });
    for (const node of again) {
      const { state } = node.replica.exchange;
      expect(node.stateHash).toBe(data.stateHash);
      expect(node.archivist.failure).toBeUndefined();
      node.archivist.archive.compare(node.position, state.digest);
      expect(node.archivist.archive.position).toBe(20);
      const held: number[] = [];
      state.forEachOrder((slot) => held.push(state.orders.price(slot)));
      // Two orders in the batch of the poison, two after it.
      expect(held.filter((price) => price === 900)).toHaveLength(4);
    }
    expect(await refused(stream, 14, 1)).toContain('Command 1 of batch 14 is already skipped.');
    await again[0]!.snapshot();
    expect(await refused(stream, 14, 1)).toContain('Command 1 of batch 14 is already skipped.');
    expect(await refused(stream, 14, 0)).toContain('the snapshot of batch 20 includes it');
    await Promise.all(again.map((node) => node.close()));
  });

  test('a skip that is only in the log is completed and not repeated', async () => {
    const { stream } = await poisoned();
    const place = ['--sequence', '14', '--index', '1', '--reason', 'ticket 12'];
    const env = { BUTTONWOOD_LOG: log.url(HALF), BUTTONWOOD_LOG_STREAM: stream };
    const half = await runForTest(['skip', ...place], env);
    expect(half).toMatchObject({ exitCode: 1, out: '' });
    expect(half.error).toContain('Batch 16 records that command 1 of batch 14 is skipped');
    expect(half.error).toContain('Run the command again');
    const end = await lastSequence(stream);
    await expect(log.startNode(stream, 'a')).rejects.toThrow('breaks an invariant');

    const { exitCode, out } = await skip(stream, 14, 1, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      sequence: 14,
      index: 1,
      command: { kind: 'open', version: 1, sandbox: true },
      cause: 'the log opens the exchange twice',
      reason: 'ticket 12',
      recordedAs: 16,
    });
    expect(await lastSequence(stream)).toBe(end);
    const nodes = await restartNodes(stream);
    expect((await verify(stream)).stateHash).toBe(nodes[1]!.stateHash);
    await Promise.all(nodes.map((node) => node.close()));
  });

  test('rejects a missing, a sound and an applied command', async () => {
    const stream = await trimmed();
    expect(await refused(stream, 14, 0)).toContain('There is no batch 14: the log ends at 13.');
    expect(await refused(stream, 13, 3)).toContain('Batch 13 has no command 3: its last one is 2.');
    expect(await refused(stream, 13, 0)).toContain('Command 1 of batch 13 stops the replay');
    expect(await refused(stream, 12, 0)).toContain('Command 1 of batch 13 stops the replay');
    expect(await refused(stream, 9, 0)).toContain('the snapshot of batch 9 includes it');
    expect(await refused(stream, 2, 0)).toContain('the snapshot of batch 9 includes it');
    const sound = await log.exchange();
    expect(await refused(sound.stream, 1, 0)).toContain('Batch 1 has no command.');
    expect(await refused(sound.stream, 12, 0)).toContain(
      'does not stop a replay, so skipping would lose it',
    );
    await sound.node.close();
  });

  test('rejects a command that a node has applied', async () => {
    const { stream, node } = await log.exchange();
    // A node with damaged memory, which applies the command at which all others stop.
    const { exchange } = node.replica;
    const apply = exchange.apply.bind(exchange);
    exchange.apply = (each, time) =>
      each === POISON ? apply(command(1), time) : apply(each, time);
    await node.send([order, POISON, order]);
    await node.send([order]);
    expect(await refused(stream, 13, 1)).toContain(
      'Command 1 of batch 13 was applied by node a but stops a replay here',
    );
    await node.close();
  });

  test('rejects a log without a snapshot or an object store', async () => {
    const stream = await trimmed();
    const store = await log.snapshots(stream);
    for (const sequence of [6, 9]) await store.delete(toName(sequence));
    expect(await refused(stream, 13, 1)).toContain('there is no complete snapshot to start from');
    await store.destroy();
    expect(await refused(stream, 13, 1)).toContain('There is no object store');
    expect((await skip('none', 1, 0)).error).toContain('There is no stream none');
  });

  test('a node process prints the command to run, and continues after it', async () => {
    const postgres = await startPostgres();
    const data = temporaryDirectory();
    const stream = 'processes';
    const env = {
      BUTTONWOOD_LOG: log.url(),
      BUTTONWOOD_LOG_STREAM: stream,
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_DATABASE: await postgres.createDatabase('exchange'),
      BUTTONWOOD_NODE: 'one',
    };
    const stopped = await ExchangeProcess.start(data.path, env);
    const planter = await log.startNode(stream, 'planter');
    void planter.send([{ kind: CommandKind.tick }, POISON, { kind: CommandKind.tick }]);
    const failure = (await planter.failure) as PoisonedCommandError;
    const { exitCode, output } = await stopped.ended();
    expect(exitCode).toBe(1);
    const place = `--sequence ${failure.sequence} --index 1`;
    expect(output).toContain(`buttonwood skip --log nats://… --log-stream ${stream} ${place}`);

    expect(await skip(stream, failure.sequence, 1)).toMatchObject({ exitCode: 0 });
    const again = await ExchangeProcess.start(data.path, env);
    const body = '{"symbol":"BTC/USDT","side":"buy","type":"limit","price":100000,"amount":0.01}';
    const placed = await again.send(again.credential('alice'), 'POST', '/api/orders', body);
    expect(placed.status).toBe(200);
    const { json } = await again.send(again.credential('alice'), 'GET', '/api/fills');
    expect(json).toMatchObject({ success: true });
    expect(await again.stop()).toMatchObject({ exitCode: 0 });
    const verified = await verify(stream);
    expect(verified).toMatchObject({ sound: true, skips: [{ sequence: failure.sequence }] });
    data.remove();
    await postgres.stop();
  }, 60_000);
});
