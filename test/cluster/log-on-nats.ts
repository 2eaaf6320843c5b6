import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ObjectStore, Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats, type NatsSettings } from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { command, GENESIS_COMMANDS } from '../../src/testing/test-exchange.ts';
import { type Nats, startNats } from './nats.ts';
import { StreamNode } from './stream-node.ts';

/** A user with all permissions, as on the servers of small exchanges. */
const ADMIN = { user: 'admin', password: 'admin' };
/** A user with all permissions except writing records next to the snapshots. */
export const HALF = { user: 'half', password: 'half' };
/** A user with the permissions that deploy/ grants: only reading. */
export const BACKUP = { user: 'backup', password: 'BACKUP_PASSWORD' };

const MORE_USERS = `users: [
  { user: ${ADMIN.user}, password: ${ADMIN.password} }
  { user: ${HALF.user}, password: ${HALF.password}, permissions: { publish: { deny: ["$O.>"] } } }`;

/** A NATS server with the users of deploy/nats-users.conf and some more; each exchange has its own stream. */
export class LogOnNats {
  private streams = 0;

  private constructor(
    private readonly nats: Nats,
    readonly settings: NatsSettings,
    readonly connection: NatsConnection,
  ) {}

  static async start(): Promise<LogOnNats> {
    const users = readFileSync(join(import.meta.dir, '../../deploy/nats-users.conf'), 'utf8');
    const accounts = users.replace('users: [', MORE_USERS);
    const nats = await startNats({ accounts, syncsAlways: false });
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const settings = { servers, isTls: false, ...ADMIN };
    return new LogOnNats(nats, settings, await connectToNats(settings, 'test'));
  }

  async stop(): Promise<void> {
    await this.connection.close();
    await this.nats.stop();
  }

  /** Returns the value of `--log` for a user. */
  url({ user, password } = ADMIN): string {
    return this.nats.urls.join().replace('//', `//${user}:${password}@`);
  }

  /** Creates an empty stream. */
  async newStream(stream = `log-${++this.streams}`): Promise<string> {
    await ensureStream(this.connection, stream, 1);
    return stream;
  }

  startNode(stream: string, node: string): Promise<StreamNode> {
    return StreamNode.start(this.connection, this.settings, stream, node);
  }

  /** Creates a log of a join, the first commands, and ten batches of orders (3 to 12), with snapshots of the given ones. */
  async exchange(
    snapshotsAt: readonly number[] = [],
    name?: string,
  ): Promise<{ stream: string; node: StreamNode }> {
    const stream = await this.newStream(name);
    const node = await this.startNode(stream, 'a');
    await node.send(GENESIS_COMMANDS);
    for (let batch = 0; batch < 10; batch++) {
      await node.send([0, 1, 2].map((index) => command(batch * 3 + index)));
      if (snapshotsAt.includes(node.position)) await node.snapshot();
    }
    return { stream, node };
  }

  /** Returns the store of a stream's snapshots, named by `toName` their sequences. */
  snapshots(stream: string): Promise<ObjectStore> {
    return new Objm(this.connection).open(`${stream}-snapshots`);
  }
}

export function toName(sequence: number): string {
  return String(sequence).padStart(16, '0');
}
