import type { Faults } from '../../sandbox/faults/faults.ts';
import type { AnySocket } from '../stream/sockets/protocol.ts';
import { isAcknowledgment, isPrivateMessage, nameMessage } from './message-names.ts';

/** Maximum wait of a message for the next one of its channel, which overtakes it. */
const REORDER_MS = 100;

interface Held {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The messages on their way to one socket, with the faults that happen to them. */
export class FaultySocket {
  /** The topics that the socket is subscribed to, by the server's names. */
  readonly topics = new Set<string>();
  private readonly native: Pick<AnySocket, 'send' | 'subscribe' | 'unsubscribe'>;
  /** Messages that the next one of the same channel overtakes. */
  private readonly overtaken = new Map<string, { text: string; timer: Timer }>();
  /** Private messages whose time has not come, in order. */
  private held: Held[] = [];

  constructor(
    private readonly socket: AnySocket,
    private readonly faults: Faults,
    private isWatched: boolean,
  ) {
    this.native = {
      send: socket.send.bind(socket),
      subscribe: socket.subscribe.bind(socket),
      unsubscribe: socket.unsubscribe.bind(socket),
    };
  }

  /** The key and account that the socket has authenticated with. */
  get owner(): { readonly apiKey: string | undefined; readonly account: string | undefined } {
    const { owner } = this.socket.data;
    const apiKey = owner === undefined || 'session' in owner ? undefined : owner.apiKey;
    return { apiKey, account: owner?.account.id };
  }

  send(message: Parameters<AnySocket['send']>[0]): number {
    if (!this.isWatched || typeof message !== 'string') return this.native.send(message);
    this.deliver(nameMessage(message), message);
    return message.length;
  }

  subscribe(topic: string): boolean {
    this.topics.add(topic);
    return this.isWatched || this.native.subscribe(topic);
  }

  unsubscribe(topic: string): boolean {
    this.topics.delete(topic);
    return this.isWatched || this.native.unsubscribe(topic);
  }

  /** Takes the messages of topics over from the server, or gives them back. */
  watch(isWatched: boolean): void {
    this.isWatched = isWatched;
    const { subscribe, unsubscribe } = this.native;
    for (const topic of this.topics) (isWatched ? unsubscribe : subscribe)(topic);
    if (!isWatched) this.sendAll();
  }

  /** Sends a message, unless a fault happens to it. @param name Its name in scripts; undefined if it has no faults. */
  deliver(name: string | undefined, text: string): void {
    const occasion = name === undefined ? undefined : { ...this.owner, name };
    const hit = occasion && this.faults.onMessage(occasion);
    if (name === undefined || occasion === undefined || hit === undefined) {
      this.pass(name, text);
      return;
    }
    this.faults.record(hit, occasion, null);
    switch (hit.fault.kind) {
      case 'stream_gap':
        return;
      case 'stream_duplicate':
        this.pass(name, text);
        this.transmit(text);
        return;
      case 'stream_reorder':
        this.holdUntilNext(name, text);
        return;
      default:
        this.socket.terminate();
    }
  }

  /** Sends the private messages whose time has come. */
  sendDue(): void {
    const now = this.faults.now();
    while (this.held.length > 0 && this.held[0]!.until <= now) {
      this.native.send(this.held.shift()!.text);
    }
  }

  close(): void {
    for (const { timer } of this.overtaken.values()) clearTimeout(timer);
    this.overtaken.clear();
    this.held = [];
  }

  /** Sends a message, then the one of its channel that it overtakes. */
  private pass(name: string | undefined, text: string): void {
    this.transmit(text);
    if (name !== undefined) this.sendOvertaken(name);
  }

  /** Sends a message, or holds it while the reports of its account lag. */
  private transmit(text: string): void {
    if (isPrivateMessage(text)) {
      const { owner } = this.socket.data;
      const until = owner === undefined ? undefined : this.faults.heldUntil(owner.account.index);
      const isHeld = this.held.length > 0 || (until !== undefined && !isAcknowledgment(text));
      if (isHeld) {
        this.held.push({ text, until: Math.max(until ?? 0, this.held.at(-1)?.until ?? 0) });
        return;
      }
    }
    this.native.send(text);
  }

  private holdUntilNext(name: string, text: string): void {
    this.sendOvertaken(name);
    const timer = setTimeout(() => this.sendOvertaken(name), REORDER_MS);
    this.overtaken.set(name, { text, timer });
  }

  private sendOvertaken(name: string): void {
    const overtaken = this.overtaken.get(name);
    if (overtaken === undefined) return;
    clearTimeout(overtaken.timer);
    this.overtaken.delete(name);
    this.transmit(overtaken.text);
  }

  private sendAll(): void {
    for (const name of [...this.overtaken.keys()]) this.sendOvertaken(name);
    for (const { text } of this.held) this.native.send(text);
    this.held = [];
  }
}

type Timer = ReturnType<typeof setTimeout>;
