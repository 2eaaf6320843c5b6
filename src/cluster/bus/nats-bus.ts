import { randomBytes } from 'node:crypto';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import * as logger from '../../monitoring/logger.ts';
import type { Bus, TakeMessage } from './bus.ts';

const MAX_NAME_BYTES = 255;

/**
 * A bus over plain NATS messages, which the servers do not store. Each message starts with a length byte and the name of
 * its sender.
 */
export class NatsBus implements Bus {
  private readonly from: string;
  private readonly head: Uint8Array;
  private readonly subscriptions: Subscription[] = [];
  private isConnected = true;

  /**
   * @param connection Belongs to the caller and stays open when the bus is closed.
   * @param stream Name of the exchange's stream, which separates exchanges on the same servers.
   * @param node Name of the node, at most 200 bytes.
   */
  constructor(
    private readonly connection: NatsConnection,
    private readonly stream: string,
    node: string,
  ) {
    this.from = `${node} ${randomBytes(8).toString('hex')}`;
    const name = new TextEncoder().encode(this.from);
    if (name.length > MAX_NAME_BYTES) throw new Error(`The node's name is too long: ${node}`);
    this.head = Uint8Array.of(name.length, ...name);
    void this.watch();
  }

  publish(topic: string, bytes: Uint8Array): void {
    // While disconnected the client would buffer messages without a limit and send them when they are outdated.
    if (!this.isConnected || this.connection.isClosed()) return;
    const message = new Uint8Array(this.head.length + bytes.length);
    message.set(this.head);
    message.set(bytes, this.head.length);
    this.connection.publish(this.toSubject(topic), message);
  }

  subscribe(topic: string, take: TakeMessage): void {
    const callback = (error: Error | null, message: { data: Uint8Array }) => {
      try {
        if (error !== null) throw error;
        this.receive(message.data, take);
      } catch (failure) {
        logger.error(`A message from another node could not be handled (${topic})`, failure);
      }
    };
    this.subscriptions.push(this.connection.subscribe(this.toSubject(topic), { callback }));
  }

  private receive(data: Uint8Array, take: TakeMessage): void {
    const end = 1 + (data[0] ?? MAX_NAME_BYTES);
    if (end > data.length) throw new Error('it does not name its sender');
    const from = new TextDecoder().decode(data.subarray(1, end));
    if (from !== this.from) take(data.subarray(end), from);
  }

  async close(): Promise<void> {
    for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe();
    if (!this.connection.isClosed() && this.isConnected) await this.connection.flush();
    this.isConnected = false;
  }

  private toSubject(topic: string): string {
    return `${this.stream}.bus.${topic}`;
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.isConnected = false;
      if (type === 'reconnect') this.isConnected = true;
    }
  }
}
