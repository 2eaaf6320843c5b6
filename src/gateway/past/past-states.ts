import type { Archivist, Moment, PastState } from '../../archivist/archivist.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { readSnapshot } from '../../engine/snapshot/snapshot.ts';
import { QueuePositions } from '../orders/queue-positions.ts';
import type { Services } from '../services.ts';
import { pastError } from './past-error.ts';

/** Maximum past states in memory, for a slider that is moved back and forth. */
const MAX_STATES = 8;

/** An exchange as it was right after a batch. */
export interface PastExchange {
  readonly exchange: Exchange;
  readonly position: number;
  readonly queuePositions: QueuePositions;
}

/** Past states, read from the archivist; those used last stay in memory. */
export class PastStates {
  /** By moment, as text; the one used last is at the end. */
  private readonly states = new Map<string, Promise<PastExchange>>();

  constructor(private readonly services: Pick<Services, 'replica' | 'archivist'>) {}

  /**
   * Returns the exchange at a moment; requests that arrive together share one replay.
   * @param reader Whose unanswered queries are limited: an account or address scope.
   * @throws ApiError
   */
  get(moment: Moment, reader: string): Promise<PastExchange> {
    const { replica, archivist } = this.services;
    const { position } = replica;
    // Until a later batch, more may happen at the time of the last one.
    const isFinal = 'position' in moment || moment.time < replica.exchange.state.time;
    const settled = isFinal ? moment : { position };
    const key = JSON.stringify(settled);
    const known = this.states.get(key);
    const state = known ?? load(archivist, settled, position, reader);
    this.states.delete(key);
    this.states.set(key, state);
    if (known === undefined) state.catch(() => this.states.delete(key));
    for (const oldest of this.states.keys()) {
      if (this.states.size <= MAX_STATES) break;
      this.states.delete(oldest);
    }
    return state;
  }
}

async function load(
  archivist: Archivist,
  moment: Moment,
  position: number,
  reader: string,
): Promise<PastExchange> {
  const found = (await archivist.query({ kind: 'stateAt', moment }, position, reader)) as PastState;
  if (found.kind !== 'state') throw pastError(found, 'at');
  const exchange = readSnapshot(found.state);
  const queuePositions = new QueuePositions(() => exchange);
  return { exchange, position: found.position, queuePositions };
}
