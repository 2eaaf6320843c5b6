import type { ClockControl } from '../clock/clock-control.ts';
import type { MarketMakers } from '../makers/market-makers.ts';
import { type Checkpoint, type Checkpoints, MAX_CHECKPOINTS } from './checkpoints.ts';

export interface SandboxCheckpointsOptions {
  readonly replica: {
    readonly position: number;
    hold(): Promise<void>;
    release(): void;
  };
  readonly archivist: {
    query(query: { readonly kind: 'save' }, position: number): Promise<unknown>;
  };
  readonly control: ClockControl;
  readonly makers: MarketMakers | undefined;
  /** Replaces the running sandbox by one that continues from a checkpoint. */
  readonly returnTo: (checkpoint: Checkpoint) => Promise<void>;
}

/** The checkpoints of a running sandbox. */
export class SandboxCheckpoints {
  private isReturning = false;

  constructor(
    private readonly options: SandboxCheckpointsOptions,
    private readonly stored: Checkpoints,
  ) {}

  list(): Checkpoint[] {
    return this.stored.list();
  }

  find(name: string): Checkpoint | undefined {
    return this.stored.find(name);
  }

  remove(name: string): boolean {
    return this.stored.remove(name);
  }

  /** Whether another checkpoint of this name may be created. */
  hasRoomFor(name: string): boolean {
    return this.find(name) !== undefined || this.list().length < MAX_CHECKPOINTS;
  }

  /** Creates a checkpoint of the present. Commands wait in the meantime. */
  create(name: string): Promise<Checkpoint> {
    const { replica, archivist, control, makers } = this.options;
    return control.exclusive(async () => {
      await replica.hold();
      try {
        const { position } = replica;
        await archivist.query({ kind: 'save' }, position);
        const checkpoint = {
          name,
          position,
          time: control.now,
          clock: control.settings,
          isMachineTime: control.isMachineTime,
          makers: makers?.saved,
        };
        this.stored.write(checkpoint);
        return checkpoint;
      } finally {
        replica.release();
      }
    });
  }

  /**
   * Returns to a checkpoint: requests that arrive in the meantime wait, commands without an answer are rejected and have not
   * been executed.
   * @returns whether it has, which it has not if it is returning to one already
   */
  async restore(checkpoint: Checkpoint): Promise<boolean> {
    if (this.isReturning) return false;
    this.isReturning = true;
    await this.options.returnTo(checkpoint);
    return true;
  }
}
