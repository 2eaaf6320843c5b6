import { LogPositionError } from '../log/errors.ts';
import { FrameWriter, frameHash } from '../log/frame.ts';
import { GENESIS_HASH } from '../log/hash.ts';
import { type Batch, checkAppend, type Log } from '../log/log.ts';
import { checkHash } from '../log/reader.ts';

/** A log in memory, with the same hashes as one on disk. */
export class MemoryLog implements Log {
  private readonly batches: Batch[] = [];
  private readonly frames = new FrameWriter();
  private underWay = false;
  private closed = false;

  get lastSequence(): number {
    return this.batches.length;
  }

  get lastTime(): number {
    return this.batches.at(-1)?.time ?? 0;
  }

  get lastHash(): Uint8Array {
    return this.batches.at(-1)?.hash ?? GENESIS_HASH;
  }

  async append(time: number, count: number, payload: Uint8Array): Promise<Batch> {
    if (this.closed) throw new Error('The log is closed.');
    if (this.underWay) throw new Error('An append is under way: wait for it.');
    checkAppend(time, count, payload);
    const sequence = this.lastSequence + 1;
    const batchTime = Math.max(this.lastTime, time);
    const frame = this.frames.write(sequence, batchTime, count, payload, this.lastHash);
    const hash = frameHash(frame);
    this.underWay = true;
    await Promise.resolve();
    this.underWay = false;
    this.batches.push({ sequence, time: batchTime, count, payload: payload.slice(), hash });
    return { sequence, time: batchTime, count, payload, hash };
  }

  read(afterSequence: number, hash?: Uint8Array): Iterable<Batch> {
    if (afterSequence > this.lastSequence) {
      const reason = `the log ends at batch ${this.lastSequence}`;
      throw new LogPositionError(afterSequence, reason);
    }
    const before = this.batches[afterSequence - 1]?.hash ?? GENESIS_HASH;
    checkHash({ sequence: afterSequence, hash: before }, hash);
    return this.batches.slice(afterSequence);
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}
