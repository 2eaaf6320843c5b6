import { expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { errors } from '@nats-io/transport-node';
import { connectToNats, reconnectWhenSilent, retryTransient } from './connection.ts';

/** More than the buffers of two sockets hold. */
const MUCH_BYTES = 16 * 1024 * 1024;
const MESSAGE_BYTES = 512 * 1024;

test('a server that accepts nothing more is left, even with much unsent data', async () => {
  const server = new SilentServer();
  const connection = await connectToNats(
    { servers: [`127.0.0.1:${await server.listen()}`], isTls: false },
    'test',
  );
  try {
    server.fallSilent();
    const message = new Uint8Array(MESSAGE_BYTES);
    for (let bytes = 0; bytes < MUCH_BYTES; bytes += MESSAGE_BYTES) {
      connection.publish('much', message);
    }
    for await (const { type } of connection.status()) if (type === 'reconnect') break;
    expect(server.connections).toHaveLength(2);
  } finally {
    await connection.close();
    server.close();
  }
}, 30_000);

test('a server that delivers nothing of the log is left, even if it answers', async () => {
  const server = new SilentServer();
  const connection = await connectToNats(
    { servers: [`127.0.0.1:${await server.listen()}`], isTls: false },
    'test',
  );
  let silentMs = 0;
  const stay = reconnectWhenSilent(connection, () => silentMs);
  try {
    const reconnected = (async () => {
      for await (const { type } of connection.status()) if (type === 'reconnect') return;
    })();
    // Before this, the log has not been silent for long enough.
    silentMs = 60_000;
    const begin = performance.now();
    await reconnected;
    expect(performance.now() - begin).toBeGreaterThan(8000);
    expect(server.connections).toHaveLength(2);
  } finally {
    stay();
    await connection.close();
    server.close();
  }
}, 30_000);

test('a request that fails because the stream has no leader is repeated', async () => {
  const noLeader = new Error('jetstream is not enabled', {
    cause: new errors.RequestError('no responders'),
  });
  noLeader.name = 'JetStreamNotEnabled';
  const answers = [noLeader, 'taken'];
  const publish = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  expect(await retryTransient(publish)).toBe('taken');
  await expect(retryTransient(() => Promise.reject(new Error('refused')))).rejects.toThrow(
    'refused',
  );
});

/** A minimal NATS server; its first connection hangs after `fallSilent`. */
class SilentServer {
  readonly connections: Socket[] = [];
  private readonly server = createServer((socket) => {
    this.connections.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const _ of bytes.toString('latin1').matchAll(/PING\r\n/g)) socket.write('PONG\r\n');
    });
    const info = { server_id: 'test', version: '2.10.0', max_payload: MESSAGE_BYTES, proto: 1 };
    socket.write(`INFO ${JSON.stringify({ ...info, headers: true })}\r\n`);
  });

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () =>
        resolve((this.server.address() as { port: number }).port),
      );
    });
  }

  fallSilent(): void {
    this.connections[0]!.pause();
  }

  close(): void {
    for (const socket of this.connections) socket.destroy();
    this.server.close();
  }
}
