import { Big } from 'big.js';
import type { Client } from '../../client/index.ts';
import type { ActionKind, TimelineEntry } from '../format/schema.ts';
import { actionKind, type Scenario } from '../scenario.ts';
import type { ScenarioExchange } from './exchange.ts';

/** An action of the timeline at its time. */
export interface DueAction {
  /** Milliseconds since the start. */
  readonly atMs: number;
  readonly kind: ActionKind;
  readonly entry: TimelineEntry;
  /** `file:line:column` of the entry. */
  readonly place: string;
}

/** Returns the actions of a scenario in order of time; of one time, in order of the file. */
export function planActions({ content, position }: Scenario): DueAction[] {
  const actions = content.timeline.flatMap((entry, index) => {
    const { every, times } = entry.repeat ?? { every: 0, times: 1 };
    const kind = actionKind(entry);
    const place = position(['timeline', index]);
    return Array.from({ length: times }, (_, turn) => ({
      atMs: entry.at + turn * every,
      kind,
      entry,
      place,
    }));
  });
  // Stable, so the order of the file is kept.
  return actions.sort((one, other) => one.atMs - other.atMs);
}

/** Performs actions of the timeline. */
export class Performer {
  private transfers = 0;

  /**
   * @param clients Clients of the accounts, by name.
   * @param startMs Time of the start, milliseconds since 1970.
   */
  constructor(
    private readonly exchange: ScenarioExchange,
    private readonly clients: ReadonlyMap<string, Client>,
    private readonly startMs: number,
  ) {}

  /** @throws ApiRequestError if the exchange rejects it */
  async perform({ kind, entry, atMs }: DueAction): Promise<void> {
    const { operator } = this.exchange;
    if (kind === 'order') await this.placeOrder(entry.order!);
    else if (kind === 'ladder') await this.placeLadder(entry.ladder!);
    else if (kind === 'cancel') await this.cancel(entry.cancel!);
    else if (kind === 'market') await operator.changeMarket(entry.market!);
    else if (kind === 'account') {
      const { account: id, ...change } = entry.account!;
      await operator.changeAccount({ id, ...change });
    } else if (kind === 'transfer') await this.transfer(entry.transfer!);
    else if (kind === 'makers') await this.exchange.changeMakers(entry.makers!);
    else if (kind === 'fault') await this.exchange.addFault(entry.fault!, this.startMs + atMs);
    else await this.exchange.clearFaults();
  }

  /** Credits an account, or debits it if the amount is negative. */
  async transfer({ account, asset, amount }: NonNullable<TimelineEntry['transfer']>) {
    const reference = `scenario-${++this.transfers}`;
    const reason = 'scenario';
    await this.exchange.operator.createTransfer({ account, asset, amount, reference, reason });
  }

  private async placeOrder({ account, ...order }: NonNullable<TimelineEntry['order']>) {
    await this.clients.get(account)!.placeOrder(order);
  }

  private async placeLadder(ladder: NonNullable<TimelineEntry['ladder']>) {
    const { account, symbol, side, price, priceStep, levels, amount } = ladder;
    const client = this.clients.get(account)!;
    for (let level = 0; level < levels; level++) {
      const distance = new Big(priceStep).times(side === 'buy' ? -level : level);
      const levelPrice = new Big(price).plus(distance).toFixed();
      await client.placeOrder({ symbol, side, type: 'limit', amount, price: levelPrice });
    }
  }

  private async cancel({ account, symbol, clientOrderId }: NonNullable<TimelineEntry['cancel']>) {
    const which =
      clientOrderId !== undefined
        ? { clientOrderId }
        : symbol !== undefined
          ? { symbol }
          : { all: 'true' as const };
    await this.clients.get(account)!.cancelOrders(which);
  }
}
