import type { ExactFill, ExactOrder } from './records.ts';

type Reported = Pick<ExactOrder, 'orderId' | 'lastFillAt'>;

/** Maximum number of orders whose outcome is remembered; their fills arrive within moments. */
const MAX_REPORTED = 100;

/**
 * Decides which fills get a toast of their own: those that the outcome of an order does not report already. The fills may
 * arrive before the response or after it.
 */
export class FillToasts {
  private awaited = 0;
  private held: ExactFill[] = [];
  /** Time of the last fill that the outcome of an order reported, by order id. */
  private readonly reported = new Map<string, string>();

  /** @param show Called with the fills of one order that arrived together. */
  constructor(private readonly show: (fills: readonly ExactFill[]) => void) {}

  /** Takes fills, in order of the stream. */
  add(fills: readonly ExactFill[]): void {
    this.held.push(...fills);
    if (this.awaited === 0) this.release();
  }

  /** Sends a request and holds fills back until its response, whose orders the caller then reports. */
  async reportedBy<Answer extends readonly Reported[]>(
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    this.awaited++;
    try {
      const orders = await send();
      for (const { orderId, lastFillAt } of orders) {
        if (lastFillAt !== null) this.reported.set(orderId, lastFillAt);
      }
      return orders;
    } finally {
      if (--this.awaited === 0) this.release();
    }
  }

  private release(): void {
    const { held, reported } = this;
    this.held = [];
    const unreported = held.filter(
      ({ orderId, timestamp }) => timestamp > (reported.get(orderId) ?? ''),
    );
    for (const fills of Map.groupBy(unreported, ({ orderId }) => orderId).values())
      this.show(fills);
    for (const id of [...reported.keys()].slice(0, -MAX_REPORTED)) reported.delete(id);
  }
}
