import type { Exchange } from '../../../engine/exchange.ts';
import { DayFile } from './day-file.ts';
import { OrderFlow } from './order-flow.ts';

const DAY_MS = 86_400_000;
/** The header by which a sandbox recognizes the format. */
const L3_HEADER = 'time,type,id,side,price,amount';

/** Writes the orders and cancels of every market and day, as a sandbox reads them. */
export class OrderFlowExport {
  private readonly flows: { readonly flow: OrderFlow; file: DayFile | undefined }[] = [];
  /** Start of the current day, milliseconds since 1970; undefined before the first batch. */
  private day: number | undefined;

  /** @param symbol Only this market; all if it is undefined. */
  constructor(
    private readonly out: string,
    private readonly exchange: Exchange,
    private readonly symbol: string | undefined,
  ) {}

  /** Finishes all days that end at `time` or before. A file begins with the orders of the book, and ends by canceling them. */
  async finishDays(time: number): Promise<void> {
    this.day ??= time - (time % DAY_MS);
    while (time >= this.day + DAY_MS) {
      const next: number = this.day + DAY_MS;
      for (const each of this.flows) each.flow.end(next - 1);
      for (const { file } of this.flows) await file?.finish();
      this.day = next;
      for (const [index, each] of this.flows.entries()) {
        each.file = undefined;
        // Days without orders have no file.
        if (this.exchange.state.markets[index]!.openOrders > 0) each.flow.begin(next);
      }
    }
  }

  /** Notes a command that was just applied. */
  note(): void {
    const { markets } = this.exchange.state;
    while (this.flows.length < markets.length) this.addMarket(this.flows.length);
    for (const { flow } of this.flows) flow.note();
  }

  /** Removes the files of the day that is not over. */
  discard(): void {
    for (const { file } of this.flows) file?.discard();
  }

  private addMarket(index: number): void {
    const market = this.exchange.state.markets[index]!;
    const isWanted = this.symbol === undefined || this.symbol === market.symbol;
    const flow = new OrderFlow(this.exchange, market, (row) => {
      if (isWanted) this.write(index, market.symbol.replace('/', ''), row);
    });
    this.flows.push({ flow, file: undefined });
  }

  private write(index: number, name: string, row: string): void {
    const each = this.flows[index]!;
    if (each.file === undefined) {
      each.file = new DayFile(this.out, `l3/${name}`, `${name}-l3`, this.day!);
      each.file.write(L3_HEADER);
    }
    each.file.write(row);
  }
}
