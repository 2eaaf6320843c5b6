import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as logger from '../../monitoring/logger.ts';
import { isPassing } from './connection.ts';
import { managerOf } from './stream.ts';

const LOOK_EVERY_MS = 30_000;
/** The log is trimmed behind what history has passed: half full means that history has stood still for long. */
const WARN_AT = 0.5;

/** How full the stream is, looked at from time to time. A full one takes no more orders. */
export class StreamFill {
  /** Of the messages that are there; undefined while it was never told. */
  bytes: number | undefined;
  /** How many it may hold, or, where it has no limit, there was room for when this began; undefined where nobody says. */
  maxBytes: number | undefined;
  private isLimited = false;
  private isWarned = false;
  /** Looks in a row that were not answered. */
  private failures = 0;
  private isFailureTold = false;
  private isStopped = false;
  private readonly timer: ReturnType<typeof setInterval>;

  private constructor(
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly room: number | undefined,
  ) {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  /**
   * Looks once, and warns where the stream has no limit: full disks stop its servers, a full stream refuses batches.
   * @param room How many bytes more its servers have room for; undefined where nobody says.
   */
  static async watch(
    connection: NatsConnection,
    stream: string,
    room?: number,
  ): Promise<StreamFill> {
    const fill = new StreamFill(await managerOf(connection), stream, room);
    await fill.look();
    if (fill.bytes !== undefined && !fill.isLimited) {
      const alarm =
        fill.maxBytes === undefined
          ? 'nobody says how full they are'
          : `there is an alarm at half of the ${fill.maxBytes} bytes that they have room for now`;
      logger.warn(
        `The stream ${stream} may grow until the disks of its servers are full, which stops them; ${alarm}. ` +
          `Give it a limit that leaves room for snapshots: nats stream edit ${stream} --max-bytes=48GiB`,
      );
    }
    return fill;
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  /** Reads how full the stream is. If it cannot be read, the figures stay as they were, and an operator is warned. */
  async look(): Promise<void> {
    try {
      const { config, state } = await this.manager.streams.info(this.stream);
      this.bytes = state.bytes;
      this.isLimited = config.max_bytes > 0;
      if (this.isLimited) this.maxBytes = config.max_bytes;
      else if (this.room !== undefined) this.maxBytes ??= this.bytes + this.room;
      this.noteAnswer();
    } catch (error) {
      if (!this.isStopped) this.noteFailure(error as Error);
      return;
    }
    const isHalfFull = this.maxBytes !== undefined && this.bytes > WARN_AT * this.maxBytes;
    if (isHalfFull && !this.isWarned) {
      logger.warn(
        `The stream ${this.stream} is half full: ${this.bytes} of ${this.maxBytes} bytes. It is trimmed behind snapshots that ` +
          'history has passed: see that PostgreSQL takes history, before it is full and no order can be taken.',
      );
    }
    this.isWarned = isHalfFull;
  }

  private noteAnswer(): void {
    if (this.isFailureTold) logger.info(`How full the stream ${this.stream} is can be read again.`);
    this.failures = 0;
    this.isFailureTold = false;
  }

  /** An election may leave one look without an answer. A missing permission does not pass by itself. */
  private noteFailure(error: Error): void {
    this.failures++;
    if (this.isFailureTold || (isPassing(error) && this.failures < 2)) return;
    this.isFailureTold = true;
    logger.warn(
      `How full the stream ${this.stream} is cannot be read (${error.message}), so there is no alarm when it is half full. ` +
        'Check that the NATS servers run and that this user may ask for the stream. This node asks again every 30 seconds.',
    );
  }
}
