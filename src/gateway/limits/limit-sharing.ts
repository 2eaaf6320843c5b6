import type { Bus } from '../../cluster/bus/bus.ts';
import { ByteReader, ByteWriter } from '../../engine/numbers/bytes.ts';
import type { FixedWindows } from './rate-limit.ts';
import { SharedWindows, type WindowReport } from './shared-windows.ts';

/** How often the others are told what was counted; where a window fills fast, sooner. */
export const TELL_EVERY_MS = 100;
/** In so many times all windows are told again: in five seconds. */
const SWEEP_PARTS = 50;
/** Of one message; the servers take 1 MiB. */
const MAX_MESSAGE_BYTES = 65_536;
const TEXT = 1;
const NUMBER = 0;

/**
 * Tells the other nodes what is counted here, and counts what they tell. What is not told yet lets a client
 * that asks N nodes at once have more than its limit: at most (N - 1) × (a 16th of it, and what one node
 * lets in while a message is under way).
 */
export class LimitSharing {
  private readonly topic: string;
  private readonly groups: readonly SharedWindows[];
  private readonly writer = new ByteWriter();
  private readonly timer: ReturnType<typeof setInterval>;
  private isTellingSoon = false;

  /**
   * @param windows In the same order on every node.
   * @param layout Names what their numbers mean: nodes of another release may count otherwise, and are not
   * heard.
   */
  constructor(
    private readonly bus: Bus,
    windows: readonly FixedWindows[],
    layout: string,
    private readonly now: () => number,
  ) {
    this.topic = `limits-${Bun.hash.crc32(layout).toString(16)}`;
    this.groups = windows.map((each) => new SharedWindows(each, () => this.tellSoon()));
    bus.subscribe(this.topic, (bytes, from) => this.take(bytes, from));
    this.timer = setInterval(() => this.tellAll(), TELL_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Tells what was counted since the last time, and again a part of all that is known. */
  tellAll(): void {
    const now = this.now();
    this.tell((group) => [...group.takeDue(now), ...group.takeSome(now, SWEEP_PARTS)]);
  }

  /** Once what is read now is answered: what it counts goes into one message. */
  private tellSoon(): void {
    if (this.isTellingSoon) return;
    this.isTellingSoon = true;
    queueMicrotask(() => {
      this.isTellingSoon = false;
      const now = this.now();
      this.tell((group) => group.takeDue(now));
    });
  }

  private tell(take: (group: SharedWindows) => readonly WindowReport[]): void {
    const { writer } = this;
    writer.reset();
    this.groups.forEach((group, index) => {
      for (const told of take(group)) {
        write(writer, index, told);
        if (writer.length >= MAX_MESSAGE_BYTES) this.send();
      }
    });
    if (writer.length > 0) this.send();
  }

  private send(): void {
    this.bus.publish(this.topic, this.writer.bytes());
    this.writer.reset();
  }

  private take(bytes: Uint8Array, from: string): void {
    const reader = new ByteReader(bytes);
    const now = this.now();
    while (!reader.isAtEnd) {
      const group = this.groups[reader.byte()];
      const told = read(reader);
      group?.merge(from, told, now);
    }
  }
}

function write(writer: ByteWriter, group: number, { endpoint, key, ...told }: WindowReport): void {
  writer.byte(group);
  writer.byte(endpoint);
  if (typeof key === 'number') {
    writer.byte(NUMBER);
    writer.uint32(key);
  } else {
    writer.byte(TEXT);
    writer.text(key);
  }
  writer.uint32(told.generation);
  writer.uint32(told.own);
  writer.uint32(told.ageMs);
}

function read(reader: ByteReader): WindowReport {
  const endpoint = reader.byte();
  const key = reader.byte() === NUMBER ? reader.uint32() : reader.text();
  const generation = reader.uint32();
  const own = reader.uint32();
  return { endpoint, key, generation, own, ageMs: reader.uint32() };
}
