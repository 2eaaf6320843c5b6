import type { Exchange } from '../../engine/exchange.ts';
import { readSnapshot, writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Position } from '../../log/log.ts';
import type { Moment } from './moment.ts';

/** Maximum size of a state that is shown or kept: reading one takes the serving thread some tens of milliseconds. */
const MAX_OPEN_ORDERS = 20_000;
const MAX_STATE_BYTES = 8 * 1024 * 1024;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** The state right after a batch, as a snapshot. */
export interface StateBytes {
  readonly position: Position;
  /** The time of the state, milliseconds since 1970. */
  readonly time: number;
  readonly bytes: Uint8Array;
}

/** Returns the snapshot of a state; undefined if it is too large to show. */
export function writeBounded(exchange: Exchange, position: Position): StateBytes | undefined {
  const { state } = exchange;
  if (state.orders.size > MAX_OPEN_ORDERS) return undefined;
  const bytes = writeSnapshot(exchange);
  return bytes.length > MAX_STATE_BYTES ? undefined : { position, time: state.time, bytes };
}

/** Snapshots in memory from which past states are replayed: sparse, the oldest first, and bounded in size. */
export class KeptStates {
  private readonly states: StateBytes[] = [];
  private size = 0;

  constructor(private readonly maxBytes = MAX_KEPT_BYTES) {}

  /** Keeps a state, unless it is too large or known. */
  keep(kept: StateBytes): void {
    const { states } = this;
    const { sequence } = kept.position;
    const index = states.findLastIndex(({ position }) => position.sequence <= sequence);
    if (states[index]?.position.sequence === sequence) return;
    states.splice(index + 1, 0, kept);
    this.size += kept.bytes.length;
    while (this.size > this.maxBytes) this.thin();
  }

  /** Returns the latest kept state that is not after a moment. */
  before(moment: Moment): StateBytes | undefined {
    return this.states.findLast(({ position, time }) =>
      'time' in moment ? time <= moment.time : position.sequence <= moment.position,
    );
  }

  /** Drops the state without which the gap to replay grows least. */
  private thin(): void {
    const { states } = this;
    const gap = (index: number) => {
      const next = states[index + 1] ?? states[index]!;
      return next.position.sequence - (states[index - 1]?.position.sequence ?? 0);
    };
    let smallest = 0;
    for (let index = 1; index < states.length; index++) {
      if (gap(index) < gap(smallest)) smallest = index;
    }
    this.size -= states[smallest]!.bytes.length;
    states.splice(smallest, 1);
  }
}

/** Reads a stored snapshot as a state to keep; undefined if it is too large. */
export function toKept(position: Position, bytes: Uint8Array): StateBytes | undefined {
  if (bytes.length > MAX_STATE_BYTES) return undefined;
  return { position, time: readSnapshot(bytes).state.time, bytes };
}
