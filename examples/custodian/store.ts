import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ChainState } from './chain.ts';

/** An address that receives deposits of an account. */
export interface OwnAddress {
  readonly account: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string;
  /** Whether the exchange has accepted it. */
  isReported: boolean;
}

/** The newest report of an object, and the newest that was accepted. It is repeated until both are equal. */
interface Reported {
  /** Number of the newest report. */
  report: number;
  /** Number of the report that the exchange has accepted. */
  accepted: number;
  /** The content of the newest report. */
  content: string;
}

export interface Deposit extends Reported {
  readonly network: string;
  readonly transaction: string;
  readonly index: number;
}

export interface Withdrawal extends Reported {
  /** Id of the instruction. */
  readonly instruction: number;
  /** Id at the exchange. */
  readonly withdrawal: number;
  readonly network: string;
  /** Null if it failed. */
  readonly transaction: string | null;
  readonly reason: string | null;
}

/** The coins of an asset on a network. */
export interface Wallet extends Reported {
  readonly asset: string;
  readonly network: string;
  /** Coins that were there before the first payment. */
  readonly reserve: string;
}

/** Everything that must survive a crash. */
export interface Saved {
  readonly privateKey: string;
  readonly chains: Record<string, ChainState>;
  readonly addresses: OwnAddress[];
  /** Ids of the instructions that were carried out, with their bodies. */
  readonly instructions: Record<string, string>;
  readonly deposits: Deposit[];
  readonly withdrawals: Withdrawal[];
  readonly wallets: Wallet[];
}

/** A file that always has one complete state, whatever moment a crash comes at. */
export class Store {
  private readonly path: string;

  constructor(directory: string) {
    this.path = join(directory, 'custodian.json');
  }

  load(create: () => Saved): Saved {
    if (existsSync(this.path)) {
      // Earlier files have no wallets.
      const saved = JSON.parse(readFileSync(this.path, 'utf8'));
      saved.wallets ??= [];
      return saved;
    }
    const saved = create();
    this.save(saved);
    return saved;
  }

  save(saved: Saved): void {
    const file = openSync(`${this.path}.new`, 'w', 0o600);
    writeSync(file, JSON.stringify(saved));
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.path}.new`, this.path);
  }
}
