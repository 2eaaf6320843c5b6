import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { machineClock } from '../../src/cluster/log/message-stream.ts';
import { StreamLog } from '../../src/cluster/log/stream-log.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { CommandKind } from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { ByteWriter } from '../../src/engine/numbers/bytes.ts';
import { encodeBatch } from '../../src/log/codec.ts';
import { MainProcess } from '../process/main-process.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { type Nats, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const LIMIT_MS = 60_000;
/** The kind of a command that a later release may have. */
const UNKNOWN_KIND = 200;

// A node that meets data of a later release: see docs/operating/upgrade.md.
describeWithServers('a node in a cluster with a later release', () => {
  let nats: Nats;
  let postgres: PostgresServer;
  let connection: NatsConnection;
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-newer-'));
  const processes: MainProcess[] = [];
  beforeAll(async () => {
    [nats, postgres] = await Promise.all([startNats({ syncsAlways: false }), startPostgres()]);
    connection = await connect({ servers: [...nats.urls] });
  });
  afterAll(async () => {
    for (const process of processes) process.signal('SIGKILL');
    await Promise.all(processes.map((process) => process.ended()));
    await connection.close();
    await Promise.all([nats.stop(), postgres.stop()]);
    rmSync(directory, { recursive: true });
  });

  async function settings(stream: string): Promise<Record<string, string>> {
    return {
      BUTTONWOOD_LOG: nats.urls.join(','),
      BUTTONWOOD_LOG_STREAM: stream,
      BUTTONWOOD_LOG_REPLICAS: '1',
      BUTTONWOOD_DATABASE: await postgres.createDatabase(stream),
      BUTTONWOOD_NODE: 'old',
      BUTTONWOOD_DATA: join(directory, stream),
    };
  }

  function start(env: Record<string, string>): MainProcess {
    const process = MainProcess.start(['start'], env);
    processes.push(process);
    return process;
  }

  /** Appends a batch of one command as another node. */
  async function append(stream: string, payload: Uint8Array): Promise<void> {
    const log = new StreamLog({
      stream: await JetStream.open(connection, stream),
      node: 'new',
      state: new StreamState(),
      clock: machineClock,
      token: crypto.getRandomValues(new Uint8Array(16)),
      onFailure: () => {},
    });
    await log.follow(() => {});
    await log.join();
    const nothing = { sequence: 0, hash: new Uint8Array(32), digest: 0 };
    await log.append(Date.now(), 1, payload, nothing);
    await log.close();
  }

  test(
    'a command that it does not know stops it, and each later start',
    async () => {
      const env = await settings('commands');
      const running = start(env);
      await running.serving();
      await append('commands', Uint8Array.of(UNKNOWN_KIND));
      expect(await running.ended()).toBe(1);
      const message = `a command of kind ${UNKNOWN_KIND}, which this release does not know: start a newer one`;
      expect(running.output).toContain(message);
      const again = start(env);
      expect(await again.ended()).toBe(1);
      expect(again.output).toContain(message);
    },
    LIMIT_MS,
  );

  test(
    'an exchange of a later engine version does not let it in',
    async () => {
      await ensureStream(connection, 'versions', 1);
      const open = { kind: CommandKind.open, version: ENGINE_VERSION + 1, sandbox: true } as const;
      await append('versions', encodeBatch(new ByteWriter(), [open]));
      const old = start(await settings('versions'));
      expect(await old.ended()).toBe(1);
      const needs = `needs engine version ${ENGINE_VERSION + 1}, this is ${ENGINE_VERSION}`;
      expect(old.output).toContain(`the log ${needs}: start a newer release`);
    },
    LIMIT_MS,
  );
});
