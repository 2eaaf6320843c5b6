import type { Faults } from '../../sandbox/faults/faults.ts';
import type { Hit } from '../../sandbox/faults/script.ts';
import { CloseCode } from '../stream/sockets/close-codes.ts';
import type { AnySocket } from '../stream/sockets/protocol.ts';
import { FaultySocket } from './faulty-socket.ts';
import { namePublished } from './message-names.ts';

/**
 * The sockets of a sandbox. While a script concerns the messages of streams, each message goes through its socket's faults;
 * otherwise the server publishes as on any exchange.
 */
export class SocketFaults {
  private readonly sockets = new Map<AnySocket, FaultySocket>();
  private isWatching = false;

  constructor(private readonly faults: Faults) {
    faults.onStreamsChange = () => this.watch(faults.concernsStreams);
    faults.onCheck = () => this.check();
  }

  /** Puts the faults between a new socket and everything that sends to it. */
  open(socket: AnySocket): void {
    const faulty = new FaultySocket(socket, this.faults, this.isWatching);
    this.sockets.set(socket, faulty);
    socket.send = (message) => faulty.send(message);
    socket.subscribe = (topic) => faulty.subscribe(topic);
    socket.unsubscribe = (topic) => faulty.unsubscribe(topic);
  }

  close(socket: AnySocket): void {
    this.sockets.get(socket)?.close();
    this.sockets.delete(socket);
  }

  /** Sends a message to the subscribers that the server does not publish to. */
  publish(topic: string, text: string): void {
    if (!this.isWatching) return;
    const name = namePublished(topic, text);
    for (const socket of this.sockets.values()) {
      if (socket.topics.has(topic)) socket.deliver(name, text);
    }
  }

  private watch(isWatching: boolean): void {
    if (isWatching === this.isWatching) return;
    this.isWatching = isWatching;
    for (const socket of this.sockets.values()) socket.watch(isWatching);
  }

  /** Sends what is due, and closes the sockets that are in maintenance. */
  private check(): void {
    for (const [socket, faulty] of this.sockets) {
      faulty.sendDue();
      const hit = this.faults.findMaintenance(faulty.owner);
      if (hit !== undefined) this.endFor(hit, socket, faulty);
    }
  }

  private endFor(hit: Hit, socket: AnySocket, faulty: FaultySocket): void {
    this.close(socket);
    this.faults.record(hit, { ...faulty.owner, name: 'socket' }, null);
    socket.close(CloseCode.tryAgainLater, 'maintenance');
  }
}
