import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as logger from '../../monitoring/logger.ts';
import { isUnavailable } from './connection.ts';
import { openManager } from './stream.ts';

const POLL_EVERY_MS = 30_000;
/** The log is trimmed as history advances, so a half-full stream means that history has not advanced for a long time. */
const WARN_AT = 0.5;

/** The fill level of the stream, polled at intervals. A full stream rejects all orders. */
export class StreamFill {
  /** Bytes of the stored messages; undefined until the first successful poll. */
  bytes: number | undefined;
  /** The stream's limit, or the capacity at the start if it has none; undefined if unknown. */
  maxBytes: number | undefined;
  private isLimited = false;
  private isWarned = false;
  /** Consecutive polls that failed. */
  private failures = 0;
  private isFailureReported = false;
  private isStopped = false;
  private readonly timer: ReturnType<typeof setInterval>;

  private constructor(
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly remaining: number | undefined,
  ) {
    this.timer = setInterval(() => void this.poll(), POLL_EVERY_MS);
  }

  /**
   * Polls once, and warns if the stream has no limit: a full stream rejects batches, but full disks stop the servers.
   * @param remaining Bytes by which the stream may grow; undefined if unknown.
   */
  static async watch(
    connection: NatsConnection,
    stream: string,
    remaining?: number,
  ): Promise<StreamFill> {
    const fill = new StreamFill(await openManager(connection), stream, remaining);
    await fill.poll();
    if (fill.bytes !== undefined && !fill.isLimited) {
      const alarm =
        fill.maxBytes === undefined
          ? 'how full they are is unknown, so there is no alarm'
          : `an alarm is raised at half of the ${fill.maxBytes} bytes that they can hold now`;
      logger.warn(
        `The stream ${stream} may grow until the disks of its servers are full, which stops them; ${alarm}. ` +
          `Set a limit that leaves space for snapshots: nats stream edit ${stream} --max-bytes=48GiB`,
      );
    }
    return fill;
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  /** Reads the fill level. If the request fails, the figures do not change and a warning is logged. */
  async poll(): Promise<void> {
    try {
      const { config, state } = await this.manager.streams.info(this.stream);
      this.bytes = state.bytes;
      this.isLimited = config.max_bytes > 0;
      if (this.isLimited) this.maxBytes = config.max_bytes;
      else if (this.remaining !== undefined) this.maxBytes ??= this.bytes + this.remaining;
      this.noteSuccess();
    } catch (error) {
      if (!this.isStopped) this.noteFailure(error as Error);
      return;
    }
    const isHalfFull = this.maxBytes !== undefined && this.bytes > WARN_AT * this.maxBytes;
    if (isHalfFull && !this.isWarned) {
      logger.warn(
        `The stream ${this.stream} is half full: ${this.bytes} of ${this.maxBytes} bytes. It is trimmed up to the snapshots ` +
          'that history covers. Check that PostgreSQL accepts history; once the stream is full, all orders are rejected.',
      );
    }
    this.isWarned = isHalfFull;
  }

  private noteSuccess(): void {
    if (this.isFailureReported)
      logger.info(`The fill level of the stream ${this.stream} can be read again.`);
    this.failures = 0;
    this.isFailureReported = false;
  }

  /** Reports a failure; a single timeout is ignored, as an election may cause one. */
  private noteFailure(error: Error): void {
    this.failures++;
    if (this.isFailureReported || (isUnavailable(error) && this.failures < 2)) return;
    this.isFailureReported = true;
    logger.warn(
      `The fill level of the stream ${this.stream} cannot be read (${error.message}), so there is no alarm when it is half full. ` +
        'Check that the NATS servers run and that this user may read the stream. This node retries every 30 seconds.',
    );
  }
}
