import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { NatsBus } from '../../src/cluster/bus/nats-bus.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describeWithServers('the bus between nodes', () => {
  let nats: Nats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  function open(): Promise<NatsConnection> {
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    return connect({ servers, ...EXCHANGE_USER });
  }

  test('a message reaches the other buses of the same exchange', async () => {
    const [one, two, other] = await Promise.all([open(), open(), open()]);
    const buses = [
      new NatsBus(one, 'first', 'one'),
      new NatsBus(two, 'first', 'two'),
      new NatsBus(two, 'first', 'two'),
      new NatsBus(other, 'second', 'one'),
    ];
    const received: string[] = [];
    buses.forEach((bus, index) => {
      bus.subscribe('topic', (message, from) =>
        received.push(`${index} ${from.split(' ')[0]} ${new TextDecoder().decode(message)}`),
      );
    });
    await Promise.all([one.flush(), two.flush(), other.flush()]);
    buses[0]!.publish('topic', bytes('a'));
    buses[0]!.publish('another', bytes('b'));
    await one.flush();
    await two.flush();
    expect(received.sort()).toEqual(['1 one a', '2 one a']);
    received.length = 0;
    buses[1]!.publish('topic', new Uint8Array());
    await two.flush();
    await one.flush();
    // Two processes of one name are distinct.
    expect(received.sort()).toEqual(['0 two ', '2 two ']);
    received.length = 0;
    await buses[0]!.close();
    buses[1]!.publish('topic', bytes('c'));
    buses[0]!.publish('topic', bytes('d'));
    await two.flush();
    await one.flush();
    expect(received).toEqual(['2 two c']);
    await Promise.all([one, two, other].map((connection) => connection.close()));
    // A message that cannot be sent is dropped.
    buses[1]!.publish('topic', bytes('e'));
  });
});
