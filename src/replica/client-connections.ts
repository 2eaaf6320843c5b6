import { type Actor, type Command, CommandKind } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { type Rejection, RejectionCode, rejected } from '../engine/rejection.ts';
import { OrderReason } from '../engine/terms.ts';
import type { Replica } from './replica.ts';
import type { Timers } from './timers.ts';

/** Often enough that a few renewals may be lost or late before the lease is due. */
const RENEWAL_INTERVAL_MS = 2000;

export interface ClientConnectionsOptions {
  readonly replica: Pick<Replica, 'exchange' | 'submit' | 'execute' | 'isUnreachable'>;
  /** Name of this node. */
  readonly node: string;
  /** Whether no other node writes to the log, so that all connections at the start are of earlier runs. */
  readonly isAlone: boolean;
  /** Runs work at an interval. @returns a function that ends it */
  readonly every: Timers['every'];
}

/**
 * The connections of this node's clients whose orders are canceled when they end. They are state in the log: if this
 * process is killed, they end with its next start, or when their lease is due, which is no longer renewed.
 */
export class ClientConnections {
  /** Open connections by id, with the callback for their end. */
  private readonly open = new Map<number, () => void>();
  /** Ids of connections whose closing was submitted. */
  private readonly closing = new Set<number>();
  private isRenewing = false;
  private stopTimer: () => void = () => {};

  constructor(private readonly options: ClientConnectionsOptions) {}

  /** Number of open connections. */
  get count(): number {
    return this.open.size;
  }

  /** Ends the connections of earlier runs and cancels their orders. Must precede serving clients. */
  async begin(): Promise<void> {
    const { replica, every } = this.options;
    for (const node of new Set(this.listOldLeases().map((lease) => lease.node))) {
      await replica.execute({ kind: CommandKind.closeNodeConnections, node });
    }
    // Bulk work runs in portions, of which a tick runs one.
    while (this.listOldLeases().length > 0 || this.isCanceling) {
      await replica.execute({ kind: CommandKind.tick });
    }
    this.stopTimer = every(RENEWAL_INTERVAL_MS, () => this.check());
  }

  /**
   * Opens a connection of an account.
   * @param onEnded Called if the exchange ends it, because this node was out of touch with the log for too long. Its
   * orders are canceled then, and it accepts no more.
   * @returns The connection's id for `PlaceOnConnection`, or why it was rejected.
   * @throws CommandNotAppliedError, OutcomeUnknownError, AccountBacklogError
   */
  connect({ account, key }: Actor, onEnded: () => void): Promise<number | Rejection> {
    const { replica, node } = this.options;
    // In a cluster that is not upgraded, a node of an older release does not know the command.
    if (replica.exchange.state.version < 2) {
      return Promise.resolve(rejected(RejectionCode.limitReached, 'connections'));
    }
    return new Promise((resolve, reject) => {
      const reply = (outcome: Outcome) => {
        if (outcome.kind === 'connection') {
          // Within the command, so that `check` never takes it for one that no client has.
          this.open.set(outcome.connection, onEnded);
          resolve(outcome.connection);
        } else if (outcome.kind === 'rejected') resolve(outcome);
        else reject(new Error(`unexpected outcome of opening a connection: ${outcome.kind}`));
      };
      replica.submit({ kind: CommandKind.openConnection, account, key, node }, reply, reject);
    });
  }

  /** Ends a connection and cancels its open orders. Retried until it has taken effect. */
  disconnect(id: number): void {
    if (this.open.delete(id)) this.submitClose(id);
  }

  /** Ends all connections, when the node stops. */
  async close(): Promise<void> {
    const { replica, node } = this.options;
    this.stopTimer();
    this.open.clear();
    if (this.listOwn().length === 0 || replica.isUnreachable) return;
    // If it fails, the lease still ends them.
    await replica.execute({ kind: CommandKind.closeNodeConnections, node }).catch(() => {});
  }

  /** Renews the lease, and compares the connections of this node with those in the log. */
  private check(): void {
    const { connections } = this.options.replica.exchange.state;
    for (const [id, onEnded] of [...this.open]) {
      if (connections.get(id) !== undefined) continue;
      this.open.delete(id);
      onEnded();
    }
    // No client has these: the outcome of opening them was unknown, or closing them failed.
    for (const { id } of this.listOwn()) if (!this.open.has(id)) this.submitClose(id);
    if (this.open.size > 0) this.renew();
  }

  private renew(): void {
    if (this.isRenewing) return;
    this.isRenewing = true;
    const done = () => {
      this.isRenewing = false;
    };
    this.submit({ kind: CommandKind.renewNodeConnections, node: this.options.node }, done);
  }

  private submitClose(id: number): void {
    if (this.closing.has(id)) return;
    this.closing.add(id);
    const done = () => this.closing.delete(id);
    this.submit({ kind: CommandKind.closeConnection, connection: id }, done);
  }

  /** Submits a command whose failure the next check repairs. */
  private submit(command: Command, done: () => void): void {
    this.options.replica.submit(command, done, done);
  }

  private listOwn() {
    const { replica, node } = this.options;
    const leases = replica.exchange.state.connections.allLeases();
    return leases.filter((lease) => lease.node === node).flatMap((lease) => [...lease.connections]);
  }

  /** Returns the leases of earlier runs; only before any connection is opened. */
  private listOldLeases() {
    const { replica, node, isAlone } = this.options;
    const leases = replica.exchange.state.connections.allLeases();
    return leases.filter((lease) => isAlone || lease.node === node);
  }

  /** Whether orders of ended connections are still being canceled. */
  private get isCanceling(): boolean {
    const { sweeps } = this.options.replica.exchange.state;
    return sweeps.queue.some(({ reason }) => reason === OrderReason.disconnected);
  }
}
