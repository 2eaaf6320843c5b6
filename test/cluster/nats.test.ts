import { expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, startNats } from './nats.ts';

describeWithServers('nats-server for tests', () => {
  test('three servers replicate a stream and lose one of them', async () => {
    const nats = await startNats({ servers: 3 });
    const connection = await connect({ servers: [...nats.urls] });
    try {
      const manager = await jetstreamManager(connection);
      await manager.streams.add({ name: 'orders', subjects: ['orders'], num_replicas: 3 });
      expect((await manager.jetstream().publish('orders', 'one')).seq).toBe(1);
      const victim = nats.servers[2]!;
      await victim.kill();
      expect(victim.pid).toBeUndefined();
      await nats.ready();
      expect((await manager.jetstream().publish('orders', 'two', { retries: 20 })).seq).toBe(2);
      await victim.start();
      await nats.ready();
      const info = await manager.streams.info('orders');
      expect(info.cluster?.replicas?.map(({ offline = false }) => offline)).toEqual([false, false]);
    } finally {
      await connection.close();
      await nats.stop();
    }
  });

  test('the server knows its users and its sync setting', async () => {
    const nats = await startNats();
    try {
      const wrong = connect({ servers: [...nats.urls], ...EXCHANGE_USER, pass: 'wrong' });
      await expect(wrong).rejects.toThrow(/Authorization/);
      const system = new URL(nats.systemUrls[0]!);
      const connection = await connect({
        servers: system.host,
        user: system.username,
        pass: system.password,
      });
      const answer = await connection.request('$SYS.REQ.SERVER.PING.JSZ');
      expect(answer.json()).toMatchObject({ server: { ver: nats.version, jetstream: true } });
      await connection.close();
      const page = (await nats.servers[0]!.monitor('/jsz'))!;
      expect(page.config).toMatchObject(nats.syncsAlways ? { sync_always: true } : {});
    } finally {
      await nats.stop();
    }
  });

  test('streams survive a restart', async () => {
    const nats = await startNats();
    const [server] = nats.servers;
    try {
      const publish = async () => {
        const connection = await connect({ servers: [...nats.urls] });
        const manager = await jetstreamManager(connection);
        await manager.streams.add({ name: 'orders', subjects: ['orders'] });
        const { seq } = await manager.jetstream().publish('orders', 'one');
        await connection.close();
        return seq;
      };
      expect(await publish()).toBe(1);
      server!.pause();
      await server!.stop();
      await server!.start();
      await nats.ready();
      expect(await publish()).toBe(2);
    } finally {
      await nats.stop();
    }
  });
});
