import type { SocketBot } from './socket-bot.ts';
import type { BinanceVenue, Json } from './venue.ts';

/** A book of one market: amounts by price, as texts. */
export interface Levels {
  readonly bids: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
}

/** A local book that is kept by the documented procedure ("How to manage a local order book correctly"). */
export class DocumentedBook {
  readonly bids = new Map<string, string>();
  readonly asks = new Map<string, string>();
  /** The id of the last change; undefined until the snapshot has been applied. */
  updateId: number | undefined;
  private readonly buffered: Json[] = [];
  private nextU: number | undefined;

  /** @param onUpdate Called after every event that was applied. */
  constructor(
    private readonly venue: BinanceVenue,
    readonly bot: SocketBot,
    private readonly onUpdate: (book: DocumentedBook) => void,
  ) {}

  /** Handles the events that have arrived. @throws Error if one was missed */
  take(): void {
    for (const event of this.bot.messages.splice(0)) {
      if (this.nextU !== undefined && event.U !== this.nextU) {
        throw new Error(`an event begins at ${event.U} instead of ${this.nextU}`);
      }
      this.nextU = event.u + 1;
      if (this.updateId === undefined) this.buffered.push(event);
      else this.apply(event);
    }
  }

  /** Gets a snapshot, and applies the events since. Returns whether it was recent enough. */
  async begin(): Promise<boolean> {
    const { json } = await this.venue.get('/api/v3/depth?symbol=BTCUSDT&limit=5000');
    this.take();
    const [first] = this.buffered;
    if (first === undefined || json.lastUpdateId < first.U) return false;
    put(this.bids, json.bids);
    put(this.asks, json.asks);
    this.updateId = json.lastUpdateId;
    for (const event of this.buffered.splice(0)) {
      if (event.u > json.lastUpdateId) this.apply(event);
    }
    return true;
  }

  private apply(event: Json): void {
    if (event.u < this.updateId!) return;
    if (event.U > this.updateId! + 1) throw new Error(`missed events before ${event.U}`);
    put(this.bids, event.b);
    put(this.asks, event.a);
    this.updateId = event.u;
    this.onUpdate(this);
  }
}

function put(side: Map<string, string>, levels: readonly (readonly [string, string])[]): void {
  for (const [price, amount] of levels) {
    if (Number(amount) === 0) side.delete(price);
    else side.set(price, amount);
  }
}
