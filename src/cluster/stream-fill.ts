import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as journal from '../journal.ts';
import { managerOf } from './stream.ts';

const LOOK_EVERY_MS = 30_000;
/** The log is trimmed behind what history has passed: half full means that history has stood still for long. */
const WARN_AT = 0.5;

/** How full the stream is, looked at from time to time. A full one takes no more orders. */
export class StreamFill {
  /** Of the messages that are there; undefined while it was never told. */
  bytes: number | undefined;
  /** How many it may hold; undefined where the servers' disks are the only limit. */
  maxBytes: number | undefined;
  private isWarned = false;
  private readonly timer: ReturnType<typeof setInterval>;

  private constructor(
    private readonly manager: JetStreamManager,
    private readonly stream: string,
  ) {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  /** Looks once, and warns where the stream has no limit that one could come near to. */
  static async watch(connection: NatsConnection, stream: string): Promise<StreamFill> {
    const fill = new StreamFill(await managerOf(connection), stream);
    await fill.look();
    if (fill.maxBytes === undefined) {
      journal.warn(
        `The stream ${stream} may grow until the disks of its servers are full. Give it a limit to be warned at half of it: ` +
          `nats stream edit ${stream} --max-bytes=64GiB`,
      );
    }
    return fill;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** What cannot be told now is told the next time. */
  private async look(): Promise<void> {
    try {
      const { config, state } = await this.manager.streams.info(this.stream);
      this.bytes = state.bytes;
      this.maxBytes = config.max_bytes > 0 ? config.max_bytes : undefined;
    } catch {
      return;
    }
    const isHalfFull = this.maxBytes !== undefined && this.bytes > WARN_AT * this.maxBytes;
    if (isHalfFull && !this.isWarned) {
      journal.warn(
        `The stream ${this.stream} is half full: ${this.bytes} of ${this.maxBytes} bytes. It is trimmed behind snapshots that ` +
          'history has passed: see that PostgreSQL takes history, before it is full and no order can be taken.',
      );
    }
    this.isWarned = isHalfFull;
  }
}
