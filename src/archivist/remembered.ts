import {
  findResult,
  type OrderRecord,
  type Outcome,
  type TransferRecord,
} from '../engine/event.ts';
import { findPlaced } from '../engine/orders/placement.ts';
import type { State } from '../engine/state.ts';
import type { Remembered } from '../history/history.ts';

/**
 * Data that the archivist's engine remembers now and will forget, for history. From version 2 on history holds
 * every transfer. Earlier ones are added at the upgrade, while the engine still has all of them.
 */
export class RememberedByEngine implements Remembered {
  transfers: readonly TransferRecord[] = [];
  private version: number;

  constructor(private readonly state: State) {
    this.version = state.version;
  }

  get dropped(): Remembered['dropped'] {
    return this.state.parts.custody.store.dropped;
  }

  /** Records the outcome of the command that was just applied. */
  note(result: Outcome): void {
    const outcome = findResult(result);
    const { version, transfers } = this.state;
    const isUpgraded = this.version < 2 && version >= 2;
    this.version = version;
    if (isUpgraded) this.transfers = [...transfers.values()];
    else if (version >= 2 && outcome.kind === 'transfer' && outcome.created) {
      this.transfers = [outcome.transfer];
    } else if (this.transfers.length > 0) this.transfers = [];
  }

  /** Returns the fingerprint of an order that just ended, also if the same command dropped its client order id. */
  fingerprint({ account, id, clientOrderId }: OrderRecord): number | undefined {
    if (clientOrderId === null) return undefined;
    const known = findPlaced(this.state, this.state.accounts[account]!, clientOrderId);
    if (known?.orderId === id) return known.fingerprint;
    return this.state.clientOrderIds.forgottenFingerprint(id);
  }
}
