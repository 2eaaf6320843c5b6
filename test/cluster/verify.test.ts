import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { LogStream } from '../../src/cli/offline/log-stream.ts';
import { type Envelope, EnvelopeKind, encodeEnvelope } from '../../src/cluster/log/envelope.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { GENESIS_HASH } from '../../src/log/hash.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { command, encode, GENESIS_COMMANDS } from '../../src/testing/test-exchange.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { BACKUP, LogOnNats, toName } from './log-on-nats.ts';

describeWithServers('buttonwood verify with a log on NATS', () => {
  let log: LogOnNats;
  beforeAll(async () => {
    log = await LogOnNats.start();
  });
  afterAll(() => log?.stop());

  /** Runs verify, which must change nothing. */
  async function verify(stream: string, user?: typeof BACKUP) {
    const before = await contents(stream);
    const url = log.url(user);
    const plain = await runForTest(['verify', '--log', url, '--log-stream', stream]);
    const env = { BUTTONWOOD_LOG: url, BUTTONWOOD_LOG_STREAM: stream };
    const json = await runForTest(['verify', '--json'], env);
    expect(await contents(stream)).toEqual(before);
    expect(json.exitCode).toBe(plain.exitCode);
    return { ...plain, data: JSON.parse(json.out || json.error) };
  }

  async function contents(stream: string) {
    const manager = await jetstreamManager(log.connection);
    const names = [stream, `OBJ_${stream}-snapshots`];
    const found = await Promise.all(
      names.map((name) => manager.streams.info(name).catch(() => undefined)),
    );
    return found.map((info) => info && [info.config, info.state.messages, info.state.last_seq]);
  }

  /** Puts a message into the log that no running node sent. */
  async function put(stream: string, envelope: Partial<Envelope>): Promise<void> {
    const bytes = encodeEnvelope({
      kind: EnvelopeKind.batch,
      node: 'a',
      incarnation: 1,
      counter: 1,
      clock: 1000,
      deadline: Number.MAX_SAFE_INTEGER,
      count: 1,
      payload: encode([command(1)]),
      applied: { sequence: 0, hash: GENESIS_HASH, digest: 0 },
      ...envelope,
    });
    await jetstream(log.connection).publish(`${stream}.batches`, bytes);
  }

  async function damage(stream: string, sequence: number): Promise<void> {
    const store = await log.snapshots(stream);
    const bytes = (await store.getBlob(toName(sequence)))!;
    bytes[bytes.length >> 1]! ^= 1;
    await store.putBlob({ name: toName(sequence) }, bytes);
  }

  test('verifies a sound log read-only while a node runs', async () => {
    const { stream, node } = await log.exchange([6], 'buttonwood');
    const { exitCode, out, data } = await verify(stream, BACKUP);
    expect(exitCode).toBe(0);
    expect(data).toMatchObject({
      sound: true,
      problems: [],
      logPosition: 12,
      stateHash: node.stateHash,
      from: 0,
      batches: 12,
      commands: GENESIS_COMMANDS.length + 30,
      accounts: 3,
      skips: [],
      snapshots: [6],
      messages: { counted: 12, late: 0, doubled: 0, fenced: 0 },
      nodes: [{ node: 'a', messages: 12 }],
    });
    expect(
      data.assets.map(({ asset, sum }: { asset: string; sum: number }) => [asset, sum]),
    ).toEqual([
      ['USDT', 0],
      ['BTC', 0],
    ]);
    expect(out).toContain('replays from its start, and the books balance');
    expect(out).toMatch(/Messages +12 counted, 0 late, 0 doubled, 0 fenced/);
    expect(out).toMatch(/Nodes +a \(12\)/);
    expect(out).toContain(node.stateHash);
    await node.send([command(31)]);
    expect((await verify(stream)).data).toMatchObject({ sound: true, logPosition: 13 });
    await node.close();
  });

  test('reports late, repeated and fenced messages', async () => {
    const { stream, node } = await log.exchange();
    await node.close();
    await put(stream, { counter: 11 });
    await put(stream, { counter: 12, deadline: 1000 });
    const again = await log.startNode(stream, 'a');
    await put(stream, { counter: 13 });
    await again.close();
    const other = await log.startNode(stream, 'b');
    await other.send([command(40)]);
    const { data } = await verify(stream);
    expect(data).toMatchObject({ sound: true, stateHash: other.stateHash });
    expect(data.messages).toEqual({ counted: 15, late: 1, doubled: 1, fenced: 1 });
    expect(data.nodes).toEqual([
      { node: 'a', messages: 16 },
      { node: 'b', messages: 2 },
    ]);
    await other.close();
  });

  test('a trimmed log replays from the oldest snapshot', async () => {
    const { stream, node } = await log.exchange([5, 8]);
    const { out, data } = await verify(stream);
    expect(data).toMatchObject({
      sound: true,
      from: 5,
      batches: 7,
      snapshots: [8],
      stateHash: node.stateHash,
      messages: { counted: 7 },
    });
    expect(out).toContain('replays from the snapshot of batch 5, and the books balance');

    await damage(stream, 5);
    const damaged = await verify(stream);
    expect(damaged.exitCode).toBe(1);
    expect(damaged.data).toMatchObject({ sound: false, from: 8, stateHash: node.stateHash });
    expect(damaged.out).toMatch(/- Snapshot 5 of log-\d+ is damaged/);

    const store = await log.snapshots(stream);
    for (const sequence of [5, 8]) await store.delete(toName(sequence));
    const lost = await verify(stream);
    expect(lost).toMatchObject({ exitCode: 1, data: { sound: false, stateHash: null } });
    expect(lost.out).toContain('The log begins at message 6, but there is no complete snapshot');
    await node.close();
  });

  test('a log that was trimmed further than its snapshots allow', async () => {
    const { stream, node } = await log.exchange([5, 8]);
    const manager = await jetstreamManager(log.connection);
    await manager.streams.purge(stream, { seq: 8 });
    const { data } = await verify(stream);
    expect(data).toMatchObject({ from: 8, logPosition: 12, stateHash: node.stateHash });
    expect(data.problems).toEqual([
      'The log no longer has the batches after the snapshot of batch 5: it was trimmed too far.',
    ]);
    await node.close();
  });

  test('a damaged snapshot, and one beyond the end', async () => {
    const { stream, node } = await log.exchange([6]);
    await damage(stream, 6);
    const damaged = await verify(stream);
    expect(damaged.exitCode).toBe(1);
    expect(damaged.data).toMatchObject({ sound: false, snapshots: [], stateHash: node.stateHash });
    expect(damaged.data.problems.join()).toContain('Snapshot 6 of');

    const ahead = await log.exchange([12]);
    const store = await log.snapshots(stream);
    const blob = (await (await log.snapshots(ahead.stream)).getBlob(toName(12)))!;
    await store.delete(toName(6));
    await store.putBlob({ name: toName(12) }, blob);
    expect((await verify(stream)).data.problems).toEqual([
      expect.stringContaining('of batch 12 belongs to another log'),
    ]);
    await ahead.node.send([command(50)]);
    await ahead.node.snapshot();
    await store.delete(toName(12));
    const later = (await (await log.snapshots(ahead.stream)).getBlob(toName(13)))!;
    await store.putBlob({ name: toName(13) }, later);
    expect((await verify(stream)).data.problems).toEqual([
      'The snapshot of batch 13 is after the end of the log, batch 12.',
    ]);
    await Promise.all([node.close(), ahead.node.close()]);
  });

  test('a snapshot whose state differs from that of the log', async () => {
    const { stream, node } = await log.exchange();
    const other = await log.exchange();
    await other.node.send([command(50)]);
    await node.snapshot(writeSnapshot(other.node.replica.exchange));
    const { exitCode, out, data } = await verify(stream);
    expect(exitCode).toBe(1);
    expect(data).toMatchObject({ sound: false, snapshots: [], stateHash: node.stateHash });
    expect(out).toContain('- The snapshot of batch 12 differs from the replayed state.');
    await Promise.all([node.close(), other.node.close()]);
  });

  test('a log that is trimmed while it is read', async () => {
    const { stream, node } = await log.exchange([5]);
    const opened = await LogStream.open(log.connection, stream);
    await node.snapshot();
    const all = Array.fromAsync(opened.follow(new StreamState(), 12));
    await expect(all).rejects.toThrow('Run the command again.');
    await node.close();
  });

  test('a message of another program is reported with its position', async () => {
    const { stream, node } = await log.exchange();
    await jetstream(log.connection).publish(`${stream}.batches`, new Uint8Array(200));
    const { exitCode, out, data } = await verify(stream);
    expect(exitCode).toBe(1);
    expect(data).toMatchObject({ sound: false, logPosition: 12, stateHash: null });
    expect(out).toContain('message 13 cannot be read: it was not written by Buttonwood');
    expect((await node.failure).message).toContain('message 13 cannot be read');
  });

  test('a skip record that is not in the log', async () => {
    const { stream, node } = await log.exchange();
    await (await log.snapshots(stream)).putBlob({ name: 'skip-5-1' }, new Uint8Array(1));
    expect((await verify(stream)).data.problems).toEqual([
      'Command 1 of batch 5 is skipped without a record in the log.',
    ]);
    await node.close();
  });

  test('errors name the problem', async () => {
    const none = await verify('none');
    expect(none).toMatchObject({ exitCode: 1, data: { error: { code: 'NO_DATA' } } });
    expect(none.error).toContain('There is no stream none. Name the stream');
    await log.newStream('empty');
    expect((await verify('empty')).error).toContain('The stream empty is empty');
    const denied = await verify('log-1', { user: 'exchange', password: 'EXCHANGE_PASSWORD' });
    expect(denied).toMatchObject({ exitCode: 1, data: { error: { code: 'NATS' } } });
    expect(denied.error).toContain('this user may read the stream log-1 and the object store');
    const wrong = await verify('log-1', { user: 'admin', password: 'secret' });
    expect(wrong.data.error.code).toBe('NATS');
    expect(wrong.error).not.toContain('secret');
    const both = await runForTest(['verify', '--data', 'x', '--log', log.url()]);
    expect(both).toMatchObject({ exitCode: 2 });
    expect(both.error).toContain('not both');
    const bad = await runForTest(['verify', '--log', 'http://x']);
    expect(bad.error).toContain('--log must be file, or NATS URLs such as nats://');
  });
});
