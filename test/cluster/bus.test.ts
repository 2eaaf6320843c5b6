import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { NatsBus } from '../../src/cluster/nats-bus.ts';

const program = Bun.which('nats-server') ?? '';
if (program === '' && process.env.CI !== undefined) throw new Error('nats-server is not installed');
if (program === '') console.warn('nats-server is not installed: the bus over NATS is not tested');

const bytes = (text: string) => new TextEncoder().encode(text);

test.skipIf(program === '')(
  'what one bus says the others hear, of their own exchange',
  async () => {
    const [one, two, other] = await Promise.all([open(), open(), open()]);
    const buses = [
      new NatsBus(one, 'first', 'one'),
      new NatsBus(two, 'first', 'two'),
      new NatsBus(two, 'first', 'two'),
      new NatsBus(other, 'second', 'one'),
    ];
    const heard: string[] = [];
    buses.forEach((bus, index) => {
      bus.subscribe('topic', (message, from) =>
        heard.push(`${index} ${from.split(' ')[0]} ${new TextDecoder().decode(message)}`),
      );
    });
    await Promise.all([one.flush(), two.flush(), other.flush()]);
    buses[0]!.publish('topic', bytes('a'));
    buses[0]!.publish('another', bytes('b'));
    await one.flush();
    await two.flush();
    expect(heard.sort()).toEqual(['1 one a', '2 one a']);
    heard.length = 0;
    buses[1]!.publish('topic', new Uint8Array());
    await two.flush();
    await one.flush();
    // Two processes of one name are two.
    expect(heard.sort()).toEqual(['0 two ', '2 two ']);
    heard.length = 0;
    await buses[0]!.close();
    buses[1]!.publish('topic', bytes('c'));
    buses[0]!.publish('topic', bytes('d'));
    await two.flush();
    await one.flush();
    expect(heard).toEqual(['2 two c']);
    await Promise.all([one, two, other].map((connection) => connection.close()));
    // What cannot be sent is dropped.
    buses[1]!.publish('topic', bytes('e'));
  },
);

let directory = '';
let server: Bun.Subprocess | undefined;
let port = 0;

beforeAll(async () => {
  if (program === '') return;
  directory = mkdtempSync(join(tmpdir(), 'bus-'));
  const options = ['--addr', '127.0.0.1', '--port', '-1', '--ports_file_dir', directory];
  server = Bun.spawn([program, ...options], { stdout: 'ignore', stderr: 'ignore' });
  for (;;) {
    const [name] = readdirSync(directory).filter((file) => file.endsWith('.ports'));
    const text = name === undefined ? '' : readFileSync(join(directory, name), 'utf8');
    if (text !== '') {
      port = Number(/:(\d+)/.exec(JSON.parse(text).nats[0])![1]);
      return;
    }
    await Bun.sleep(10);
  }
});

afterAll(async () => {
  server?.kill();
  await server?.exited;
  if (directory !== '') rmSync(directory, { recursive: true });
});

function open(): Promise<NatsConnection> {
  return connect({ servers: `127.0.0.1:${port}` });
}
