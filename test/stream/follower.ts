import { applyBatch } from '../../src/archivist/recovery.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { Authorization } from '../../src/gateway/auth/authorization.ts';
import type { Services } from '../../src/gateway/services.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import type { TestExchange } from '../http/exchange.ts';
import type { UnreadSocket } from './unread-socket.ts';

/** One node's streams and the sockets that are connected to it. */
export interface Node {
  readonly streams: Streams;
  readonly sockets: Set<UnreadSocket>;
}

export function makeNode(streams: Streams): Node {
  const sockets = new Set<UnreadSocket>();
  streams.publish = (topic, message) => {
    for (const socket of sockets) socket.publish(topic, message);
  };
  return { streams, sockets };
}

/** A second node, which applies the first one's batches when `apply` is called. */
export class Follower {
  readonly exchange = new Exchange();
  position = 0;
  isUnreachable = false;
  /** Resolves when this node is current; returns undefined if it is known to be. */
  whenCurrent: () => Promise<void> | undefined = () => undefined;
  private readonly streams: Streams;
  readonly node: Node;

  constructor(
    private readonly leader: TestExchange,
    services: Services,
  ) {
    this.apply(Infinity);
    const own = { ...services, replica: this as unknown as Services['replica'] };
    const options = { rateLimits: 'off', trustedProxies: [], isSandbox: true } as const;
    const authorization = new Authorization(own, { ...options, baseUrl: 'http://127.0.0.1:3000' });
    this.streams = new Streams(own, authorization);
    this.node = makeNode(this.streams);
  }

  /** Applies up to this many batches. */
  apply(maxBatches: number): void {
    const { log, replica } = this.leader;
    if (replica.position === this.position) return;
    for (const batch of [...log.read(this.position)].slice(0, maxBatches)) {
      // Both share the first node's archivist, which has only what that node has applied.
      if (batch.sequence > replica.position) return;
      applyBatch(this.exchange, batch, new Set(), () => this.streams?.note(this.exchange.events));
      this.position = batch.sequence;
    }
  }
}
