import type { OrderDetails } from './book/order-details.ts';
import type { OrderStore } from './book/order-store.ts';
import type { ElementHashes } from './digest.ts';
import type { Event } from './event.ts';
import type { Account } from './ledger/accounts.ts';
import type { FeeTiers } from './ledger/fee-tiers.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Asset, Market } from './markets/markets.ts';
import type { ByteReader, ByteWriter } from './numbers/bytes.ts';

/** The rest of the state, as far as the parts need it. */
export interface PartState extends ElementHashes {
  readonly version: number;
  /** Id of the next trade. */
  readonly nextTradeId: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly assets: readonly Asset[];
  readonly markets: readonly Market[];
  readonly accounts: readonly Account[];
  readonly orders: OrderStore;
  readonly details: OrderDetails;
  readonly ledger: Ledger;
  readonly feeTiers: FeeTiers;
  readonly events: Event[];
}

/**
 * A part of the state (engine version 2) that stores itself in snapshots. Its elements are in the digest through
 * `include` and `exclude` of the state. An empty part adds nothing to either.
 */
export interface StatePart {
  /** The number of the part in snapshots, 1 to 255; it never changes. */
  readonly id: number;
  readonly isEmpty: boolean;
  /** When the part has something to do without a command, in milliseconds since 1970; Infinity for never. */
  readonly nextTime: number;
  /** Does what is due first. It is called again while `nextTime` is due and the portion of work lasts. */
  runDue(): void;
  /** Returns the sum of the hashes of all elements, computed from all elements. */
  countDigest(): number;
  /** @throws InvariantError if the part contradicts itself or the rest of the state. */
  audit(): void;
  write(writer: ByteWriter): void;
  /** Reads what `write` wrote. The rest of the state has been read before. */
  read(reader: ByteReader): void;
}
