import type { Bus, TakeMessage } from '../cluster/bus/bus.ts';

interface Letter {
  readonly to: MemoryBus;
  readonly from: MemoryBus;
  readonly topic: string;
  readonly bytes: Uint8Array;
}

/** Connected buses of one process. A message arrives when the test delivers it, in any order, or never. */
export class MemoryNetwork {
  private readonly buses: MemoryBus[] = [];
  private letters: Letter[] = [];
  /** Whether a message is delivered; for tests that lose some. */
  passes: (from: string, to: string) => boolean = () => true;

  join(name: string): Bus {
    const bus = new MemoryBus(name, this);
    this.buses.push(bus);
    return bus;
  }

  /** Messages in flight. */
  get pending(): number {
    return this.letters.length;
  }

  send(from: MemoryBus, topic: string, bytes: Uint8Array): void {
    for (const to of this.buses) {
      if (to === from || !this.passes(from.name, to.name)) continue;
      this.letters.push({ to, from, topic, bytes: bytes.slice() });
    }
  }

  /** Delivers the message at an index in the order of sending, by default the first. */
  deliver(index = 0): void {
    const [letter] = this.letters.splice(index, 1);
    letter?.to.take(letter.topic, letter.bytes, letter.from.name);
  }

  /** Delivers all messages, including those that they cause. */
  deliverAll(): void {
    while (this.letters.length > 0) this.deliver();
  }

  leave(bus: MemoryBus): void {
    this.buses.splice(this.buses.indexOf(bus), 1);
    this.letters = this.letters.filter(({ to }) => to !== bus);
  }
}

class MemoryBus implements Bus {
  private readonly takers = new Map<string, TakeMessage[]>();

  constructor(
    readonly name: string,
    private readonly network: MemoryNetwork,
  ) {}

  publish(topic: string, bytes: Uint8Array): void {
    this.network.send(this, topic, bytes);
  }

  subscribe(topic: string, take: TakeMessage): void {
    this.takers.set(topic, [...(this.takers.get(topic) ?? []), take]);
  }

  take(topic: string, bytes: Uint8Array, from: string): void {
    for (const take of this.takers.get(topic) ?? []) take(bytes, from);
  }

  async close(): Promise<void> {
    this.network.leave(this);
  }
}
