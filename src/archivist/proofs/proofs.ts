import { isStorageFailure } from '../../monitoring/operator-error.ts';
import type { Moment, PastFailure } from '../past/moment.ts';
import type { Past } from '../past/past.ts';
import type { Recovered } from '../recovery.ts';
import { type LiabilityProof, type LiabilityTrees, proveLiabilities } from './liabilities.ts';
import type { IncludedBalance } from './proof-file.ts';
import type { ProofStore } from './proof-store.ts';

/** A query about the proofs of liabilities that are kept. */
export type ProofQuery =
  /** The proofs that are kept, the newest first. */
  | { readonly kind: 'proofs' }
  | { readonly kind: 'inclusion'; readonly account: number; readonly position: number };

/** The proof of a moment, or why there is none. */
export type Proved =
  | { readonly kind: 'proof'; readonly proof: LiabilityProof }
  /** The disk did not take it. */
  | { readonly kind: 'notWritten'; readonly reason: string }
  | PastFailure;

/** An account's balances in a proof. */
export type Inclusion =
  | {
      readonly kind: 'inclusion';
      readonly proof: LiabilityProof;
      readonly balances: readonly IncludedBalance[];
    }
  /** There is no such proof. */
  | { readonly kind: 'unknown' }
  /** Its file is damaged. */
  | { readonly kind: 'damaged' };

/** Makes proofs of liabilities, keeps them, and answers queries about them. */
export class Proofs {
  /** @param store Undefined in a cluster, whose nodes share no files. */
  constructor(
    private readonly past: Past,
    private readonly store: ProofStore | undefined,
  ) {}

  list(): LiabilityProof[] {
    return this.store?.list() ?? [];
  }

  /** Makes the proof of a moment, unless it is kept already, in steps of some milliseconds. @param present The archive's state. */
  async *prove(moment: Moment | undefined, present: Recovered): AsyncGenerator<void, Proved> {
    const { store } = this;
    if (store === undefined) return { kind: 'unreadable', reason: NO_FILES };
    const found = moment === undefined ? present : yield* this.past.at(moment, present);
    if ('kind' in found) return found;
    const known = store.find(found.position.sequence);
    if (known !== undefined) return { kind: 'proof', proof: known.proof };
    // Begun before any wait, so that it is of this position.
    const { exchange, position } = found;
    try {
      const making = proveLiabilities({ exchange, position }, await store.secret());
      let made: LiabilityTrees | undefined;
      while (made === undefined) {
        const { done, value } = making.next();
        if (done) made = value;
        else yield;
      }
      yield* store.write(made);
      return { kind: 'proof', proof: made.proof };
    } catch (error) {
      if (isStorageFailure(error)) return { kind: 'notWritten', reason: error.message };
      if (error instanceof RangeError) return { kind: 'unreadable', reason: error.message };
      throw error;
    }
  }

  inclusion(position: number, account: string): Inclusion {
    const { store } = this;
    const file = store?.find(position);
    if (store === undefined || file === undefined) return { kind: 'unknown' };
    const balances = store.inclusion(file, account);
    if (balances === undefined) return { kind: 'damaged' };
    return { kind: 'inclusion', proof: file.proof, balances };
  }
}

const NO_FILES = 'the nodes of a cluster share no files for proofs of liabilities';
