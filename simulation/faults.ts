import type { Operation } from '../src/testing/simulated-storage.ts';
import { below, type Random, stream } from './random.ts';

/** Kinds of fault that a single node can suffer. */
export const faultKinds = [
  'kill',
  'powerLoss',
  'failedWrite',
  'shortWrite',
  'failedSync',
  'failedOperation',
  'fullDisk',
  'bitFlip',
  'snapshotDamage',
  'clockForward',
  'clockBack',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The probability of each kind, per disk operation, restart or command. */
const CHANCES: Readonly<Record<FaultKind, number>> = {
  kill: 0.004,
  powerLoss: 0.006,
  failedWrite: 0.003,
  shortWrite: 0.03,
  failedSync: 0.005,
  failedOperation: 0.03,
  fullDisk: 0.002,
  bitFlip: 0.25,
  snapshotDamage: 0.1,
  clockForward: 0.25,
  clockBack: 0.25,
};

/** Decides when a fault happens. Each kind has its own stream of random numbers. */
export class Chances<Kind extends string> {
  /** Whether faults may happen. */
  areOn = false;
  private readonly randoms: Readonly<Record<Kind, Random>>;
  /** Multiplier of the rare kinds: some runs have fewer faults than others. */
  private readonly rate: number;

  constructor(
    seed: number,
    private readonly chances: Readonly<Record<Kind, number>>,
    private readonly without: ReadonlySet<string>,
  ) {
    const kinds = Object.keys(chances) as Kind[];
    const streams = kinds.map((kind) => [kind, stream(seed, kind)] as const);
    this.randoms = Object.fromEntries(streams) as Record<Kind, Random>;
    this.rate = [0.1, 0.5, 1, 1, 2][below(5, stream(seed, 'rate'))]!;
  }

  happens(kind: Kind): boolean {
    const base = this.chances[kind];
    const chance = Math.min(1, base * (base < 0.1 ? this.rate : 1));
    return this.randoms[kind]() < chance && this.areOn && !this.without.has(kind);
  }

  isExcluded(kind: Kind): boolean {
    return this.without.has(kind);
  }

  /** A whole number below `limit`, for the details of a fault. */
  pick(kind: Kind, limit: number): number {
    return below(limit, this.randoms[kind]);
  }

  random(kind: Kind): Random {
    return this.randoms[kind];
  }
}

/** Faults of a single machine. */
export class Faults extends Chances<FaultKind> {
  constructor(seed: number, without: ReadonlySet<string>) {
    super(seed, CHANCES, without);
  }

  /** Returns the fault of an operation; undefined if it succeeds. */
  forOperation({ kind, sizeBytes }: Operation): FaultKind | undefined {
    // Drawn for every operation, so that excluding one kind does not shift the others.
    const write = [this.happens('failedWrite'), this.happens('shortWrite')];
    const sync = this.happens('failedSync');
    const other = this.happens('failedOperation');
    if (kind === 'write') {
      if (write[0]) return 'failedWrite';
      return write[1] && sizeBytes > 1 ? 'shortWrite' : undefined;
    }
    if (kind === 'sync' || kind === 'syncDirectory') return sync ? 'failedSync' : undefined;
    return other ? 'failedOperation' : undefined;
  }
}
