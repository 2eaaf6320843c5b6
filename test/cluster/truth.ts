import { applyBatch } from '../../src/archivist/recovery.ts';
import type { StoredMessage } from '../../src/cluster/log/message-stream.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import type { Event, OrderRecord, Outcome } from '../../src/engine/event.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { formatUnits } from '../../src/engine/numbers/units.ts';
import { writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { OrderStatus } from '../../src/engine/terms.ts';
import { balancesText, orderText } from '../../src/gateway/endpoints/records.ts';

/** A value from one command until the next one that changes it. */
export interface Version {
  /** Number of the command, from 1 over the whole log. */
  readonly index: number;
  /** Sequence of its message. */
  readonly position: number;
  /** JSON, as in responses. */
  readonly text: string;
  readonly by: number;
}

export interface TrueOrder {
  readonly id: number;
  readonly account: string;
  readonly clientOrderId: string | null;
  readonly versions: Version[];
  /** The version after which nothing changes. */
  end: Version | undefined;
}

/** The executions of all requests with the same content. */
export interface Applied {
  /** Position of the first command; Infinity if there are none. */
  readonly first: number;
  /** Commands of the log that were not skipped, rejected by the engine or not. */
  applied: number;
  /** Number of executions that had an effect. */
  accepted: number;
}

const NO_SKIPS: ReadonlySet<string> = new Set();
const NOTHING: Applied = { first: Infinity, applied: 0, accepted: 0 };

/** The actual events: the messages of the stream, replayed through the test's own engine. */
export class Truth {
  private readonly state = new StreamState();
  private readonly exchange = new Exchange();
  readonly orders = new Map<string, TrueOrder>();
  /** Records of an account, oldest first. */
  readonly ordersByAccount = new Map<string, TrueOrder[]>();
  readonly balanceVersions = new Map<string, Version[]>();
  /** Trade ids of an account, with the order each belongs to. */
  readonly fillsByAccount = new Map<string, { readonly id: string; readonly orderId: string }[]>();
  /** Commands between which a key was in force. */
  readonly keys = new Map<string, { readonly from: number; until: number }>();
  private readonly placements = new Map<string, Applied>();
  private readonly changes = new Map<string, Applied>();
  /** State hashes at the requested positions. */
  readonly hashes = new Map<number, string>();
  index = 0;
  /** Number of batches after their deadline, and of ignored messages: repeated, or of an older incarnation. */
  late = 0;
  ignored = 0;

  /** @param positions Positions at which to record the state hash. */
  constructor(private readonly positions: ReadonlySet<number> = new Set()) {}

  get position(): number {
    return this.state.sequence;
  }

  /** Takes the next message of the stream. */
  take(message: StoredMessage): void {
    const { batch, envelope, isLate } = this.state.take(message);
    if (isLate) this.late++;
    else if (batch.count < envelope.count) this.ignored++;
    applyBatch(this.exchange, batch, NO_SKIPS, (_, __, command, outcome) => {
      this.index++;
      this.note(command, outcome);
    });
    if (this.positions.has(batch.sequence)) {
      const hash = new Bun.SHA256().update(writeSnapshot(this.exchange)).digest('hex');
      this.hashes.set(batch.sequence, hash);
    }
  }

  placement(account: string, clientOrderId: string): Applied {
    return this.placements.get(`${account} ${clientOrderId}`) ?? NOTHING;
  }

  cancels(orderId: string): Applied {
    return this.changes.get(orderId) ?? NOTHING;
  }

  revocations(apiKey: string): Applied {
    return this.changes.get(apiKey) ?? NOTHING;
  }

  /** @param price The price in the request. */
  amends(orderId: string, price: number): Applied {
    return this.changes.get(`${orderId} ${price}`) ?? NOTHING;
  }

  private note(command: Command, outcome: Outcome): void {
    const { state, events } = this.exchange;
    const isAccepted = outcome.kind !== 'rejected';
    const accountId = (index: number) => state.accounts[index]!.id;
    switch (command.kind) {
      case CommandKind.placeOrder:
        if (command.clientOrderId === null) break;
        this.count(
          this.placements,
          `${accountId(command.account)} ${command.clientOrderId}`,
          // A repeated order has no effect.
          outcome.kind === 'order',
        );
        break;
      case CommandKind.cancelOrder:
        this.count(this.changes, `${command.orderId}`, isAccepted);
        break;
      case CommandKind.amendOrder: {
        const market = state.markets[0]!;
        const price = formatUnits(command.price, market.rules.priceDecimals);
        this.count(this.changes, `${command.orderId} ${price}`, isAccepted);
        break;
      }
      case CommandKind.createKey:
        if (isAccepted) this.keys.set(command.apiKey, { from: this.index, until: Infinity });
        break;
      case CommandKind.revokeKey: {
        this.count(this.changes, command.apiKey, isAccepted);
        const key = this.keys.get(command.apiKey);
        if (isAccepted && key?.until === Infinity) key.until = this.index;
      }
    }
    this.noteEvents(events, command.kind);
  }

  private noteEvents(events: readonly Event[], by: number): void {
    const orders = new Map<number, OrderRecord>();
    const accounts = new Set<number>();
    for (const event of events) {
      if (event.kind === 'order') orders.set(event.id, event);
      if (event.kind !== 'trade') accounts.add(event.account);
      else {
        accounts.add(event.makerAccount).add(event.takerAccount);
        this.noteFill(event.makerAccount, event.id, event.makerOrderId);
        this.noteFill(event.takerAccount, event.id, event.takerOrderId);
      }
    }
    for (const order of orders.values()) this.noteOrder(order, by);
    const { state } = this.exchange;
    for (const index of accounts) {
      const account = state.accounts[index]!;
      const versions = makeList(this.balanceVersions, account.id);
      const text = balancesText(account, state);
      if (versions.at(-1)?.text !== text) versions.push(this.version(text, by));
    }
  }

  private noteOrder(order: OrderRecord, by: number): void {
    const { state } = this.exchange;
    const id = `${order.id}`;
    let known = this.orders.get(id);
    if (known === undefined) {
      const account = state.accounts[order.account]!.id;
      const { clientOrderId } = order;
      known = { id: order.id, account, clientOrderId, versions: [], end: undefined };
      this.orders.set(id, known);
      makeList(this.ordersByAccount, account).push(known);
    }
    const version = this.version(orderText(order, state.markets[order.market]!), by);
    known.versions.push(version);
    if (order.status !== OrderStatus.open) known.end = version;
  }

  private noteFill(account: number, id: number, orderId: number): void {
    const { accounts } = this.exchange.state;
    makeList(this.fillsByAccount, accounts[account]!.id).push({
      id: `${id}`,
      orderId: `${orderId}`,
    });
  }

  private count(counts: Map<string, Applied>, key: string, isAccepted: boolean): void {
    const known = counts.get(key) ?? { first: this.index, applied: 0, accepted: 0 };
    known.applied++;
    if (isAccepted) known.accepted++;
    counts.set(key, known);
  }

  private version(text: string, by: number): Version {
    return { index: this.index, position: this.state.sequence, text, by };
  }
}

/** Returns the version in force after command `index`; undefined before the first. */
export function versionAt(versions: readonly Version[], index: number): Version | undefined {
  return versions[countUpTo(versions, index) - 1];
}

/** Returns the number of versions up to command `index`. */
export function countUpTo(versions: readonly Version[], index: number): number {
  let [low, high] = [0, versions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (versions[middle]!.index <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function makeList<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const found = lists.get(key);
  if (found !== undefined) return found;
  const list: Item[] = [];
  lists.set(key, list);
  return list;
}
