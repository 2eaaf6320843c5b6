import { createHash } from 'node:crypto';

/** A payment of a transaction. Amounts are decimal numbers as text, so that they stay exact. */
export interface Payment {
  readonly address: string;
  /** Empty for none. */
  readonly memo: string;
  readonly amount: string;
}

export interface Transaction {
  readonly id: string;
  /** Name of the network, and the asset that it moves. */
  readonly network: string;
  readonly asset: string;
  readonly payments: readonly Payment[];
  /** Height of its block; null while it waits for one. */
  block: number | null;
  /** Whether a reorganization has ever removed it from its block. */
  wasReorganized: boolean;
  /** Whether a reorganization removed it for good, because its sender spent the money elsewhere. */
  isDropped: boolean;
}

/** The blocks of one network. Saved as it is. */
export interface ChainState {
  height: number;
  nextTransaction: number;
  readonly transactions: Transaction[];
}

export function newChain(): ChainState {
  return { height: 100, nextTransaction: 1, transactions: [] };
}

/** A made-up chain: transactions wait for a block, and the newest blocks can be replaced. */
export class Chain {
  constructor(
    readonly network: string,
    private readonly state: ChainState,
  ) {}

  get height(): number {
    return this.state.height;
  }

  get transactions(): readonly Transaction[] {
    return this.state.transactions;
  }

  /** Sends a transaction, which waits for a block. */
  send(asset: string, payments: readonly Payment[]): Transaction {
    const name = `${this.network} ${this.state.nextTransaction++}`;
    const id = createHash('sha256').update(name).digest('hex');
    const { network } = this;
    const states = { block: null, wasReorganized: false, isDropped: false };
    const transaction = { id, network, asset, payments, ...states };
    this.state.transactions.push(transaction);
    return transaction;
  }

  /** Adds a block with everything that waits. */
  mine(): void {
    this.state.height++;
    for (const each of this.state.transactions) {
      if (each.block === null && !each.isDropped) each.block = this.state.height;
    }
  }

  /**
   * Replaces the newest blocks by one more block, which is empty. Their transactions wait again.
   * @param drops Ids of transactions that do not return.
   */
  reorganize(depth: number, drops: readonly string[]): void {
    const { state } = this;
    const last = state.height - depth;
    for (const each of state.transactions) {
      if (each.block === null || each.block <= last) continue;
      each.block = null;
      each.wasReorganized = true;
      each.isDropped = drops.includes(each.id);
    }
    state.height++;
  }

  /** Returns the confirmations of a transaction: 1 in the newest block, 0 without a block. */
  countConfirmations({ block }: Transaction): number {
    return block === null ? 0 : this.state.height - block + 1;
  }
}
