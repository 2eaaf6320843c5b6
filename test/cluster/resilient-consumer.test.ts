import { expect, test } from 'bun:test';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { connectToNats, retryTransient } from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type NatsServer, startNats } from './nats.ts';

const STREAM = 'log';
/** A consumer is on one of three servers, chosen by them. */
const MAX_TRIES = 50;
/** With this many consumers, every server has at least one in seven of eight runs. */
const READINGS = 5;

describeWithServers('following the log on three servers', () => {
  test('following and reading continue after the server of a consumer has ended', async () => {
    const nats = await startNats({ servers: 3 });
    let connection: NatsConnection | undefined;
    try {
      const [first] = nats.servers;
      connection = await connectedTo(first!);
      await ensureStream(connection, STREAM, 3);
      const stream = await JetStream.open(connection, STREAM);
      const manager = await jetstreamManager(connection);
      const { cluster } = await manager.streams.info(STREAM);
      const needed = [first!.name, cluster!.leader];
      const seen: number[] = [];
      let received: () => void = () => {};
      const follow = () =>
        stream.follow(
          0,
          ({ sequence }) => {
            seen.push(sequence);
            received();
          },
          (reason) => {
            throw reason;
          },
        );
      let following = await retryTransient(follow);
      let leader = await consumerLeader(manager);
      for (let tries = 1; needed.includes(leader); tries++) {
        if (tries === MAX_TRIES) throw new Error(`no consumer was placed on server ${needed}`);
        await following.close();
        await removeConsumers(manager);
        following = await retryTransient(follow);
        leader = await consumerLeader(manager);
      }
      const readings = Array.from({ length: READINGS }, () =>
        retryTransient(() => stream.messages(0, 1).next()),
      );
      await expectConsumers(manager, 1 + READINGS);
      await nats.servers.find(({ name }) => name === leader)!.kill();
      const delivered = new Promise<void>((resolve) => {
        received = resolve;
      });
      await retryTransient(() => stream.publish(new Uint8Array([1]), 2000));
      await delivered;
      expect(seen[0]).toBe(1);
      for (const reading of readings) {
        expect(await reading).toMatchObject({ done: false, value: { sequence: 1 } });
      }
      await following.close();
    } finally {
      await connection?.close();
      await nats.stop();
    }
  }, 60_000);
});

function connectedTo({ url }: NatsServer): Promise<NatsConnection> {
  const { user, pass: password } = EXCHANGE_USER;
  const servers = [url.replace('nats://', '')];
  return connectToNats({ servers, isTls: false, user, password }, 'test');
}

/** Returns the name of the server that leads the only consumer. The server that lists it may not know it at once. */
async function consumerLeader(manager: JetStreamManager): Promise<string> {
  for (;;) {
    const [consumer] = await manager.consumers.list(STREAM).next();
    const leader = consumer?.cluster?.leader;
    if (leader !== undefined && leader !== '') return leader;
    await Bun.sleep(10);
  }
}

/** Resolves once there is this number of consumers. */
async function expectConsumers(manager: JetStreamManager, count: number): Promise<void> {
  while ((await manager.streams.info(STREAM)).state.consumer_count < count);
}

async function removeConsumers(manager: JetStreamManager): Promise<void> {
  for (const { name } of await manager.consumers.list(STREAM).next()) {
    await manager.consumers.delete(STREAM, name);
  }
}
