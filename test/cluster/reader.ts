import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import type { ClusterNode } from './cluster.ts';
import type { Delivered, ReceivedMessages } from './history.ts';
import type { Key } from './load.ts';

const CHANNELS = ['orders', 'fills', 'balances'] as const;
/** Time that a node has to resume the subscriptions of a client. */
const BEGIN_MS = 5_000;
const STAY_MS = 4_000;

/**
 * A client of the private streams of an account, which reconnects to another node again and again, with the last
 * sequences that it received.
 */
export class StreamReader {
  readonly received: ReceivedMessages;
  connections = 0;
  /** Error responses of nodes, except those that a retry resolves. */
  readonly refusals: string[] = [];
  private readonly random: Random;

  constructor(
    client: string,
    account: string,
    private readonly key: Key,
    private readonly nodes: readonly ClusterNode[],
    seed: number,
  ) {
    this.received = { client, account, orders: [], fills: [], balances: [] };
    this.random = seededRandom(seed);
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.connect(STAY_MS / 2 + below(STAY_MS, this.random), isOver);
  }

  /** Reconnects until all channels have delivered a message over one connection. */
  async finish(): Promise<void> {
    const until = performance.now() + 60_000;
    while (!(await this.connect(500, () => false))) {
      if (performance.now() > until) throw new Error(`${this.received.client} cannot reconnect`);
    }
  }

  /** @returns Whether all channels delivered a message; the client disconnects some time after. */
  private async connect(stayMs: number, isOver: () => boolean): Promise<boolean> {
    const node = this.nodes[below(this.nodes.length, this.random)]!;
    const socket = new WebSocket(`${node.baseUrl.replace('http', 'ws')}/ws`);
    const begun = new Set<string>();
    let leave: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    let timer = setTimeout(leave, BEGIN_MS);
    socket.onopen = () => socket.send(JSON.stringify({ op: 'auth', ...this.key }));
    socket.onclose = () => leave();
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string);
      if (message.op === 'authenticated') this.subscribe(socket);
      else if (message.op === 'error') {
        this.noteRefusal(node.name, message.error);
        leave();
      } else if (this.take(message, begun) && begun.size === CHANNELS.length) {
        clearTimeout(timer);
        timer = setTimeout(leave, isOver() ? 0 : stayMs);
      }
    };
    await left;
    clearTimeout(timer);
    socket.onmessage = null;
    socket.close();
    const hasBegun = begun.size === CHANNELS.length;
    if (hasBegun) this.connections++;
    else await Bun.sleep(100);
    return hasBegun;
  }

  private subscribe(socket: WebSocket): void {
    for (const channel of CHANNELS) {
      const sequence = this.received[channel].at(-1)?.sequence;
      const since = sequence === undefined ? {} : { sequence };
      socket.send(JSON.stringify({ op: 'subscribe', channel, ...since }));
    }
  }

  /** @returns Whether it was the first of its channel. */
  // biome-ignore lint/suspicious/noExplicitAny: messages have many types
  private take({ op, channel, sequence, prevSequence, data }: any, begun: Set<string>): boolean {
    if (op !== 'snapshot' && op !== 'update') return false;
    const isFirst = !begun.has(channel);
    begun.add(channel);
    const message: Delivered = { op, sequence, prevSequence, isFirst, records: data[channel] };
    this.received[channel as (typeof CHANNELS)[number]].push(message);
    return isFirst;
  }

  private noteRefusal(node: string, { code, message }: { code: string; message: string }): void {
    if (code === 'OVERLOADED' || code === 'STALE') return;
    this.refusals.push(`${this.received.client} was rejected by node ${node}: ${code} ${message}`);
  }
}
