import type { Bus } from '../../cluster/bus/bus.ts';
import { ByteReader, ByteWriter } from '../../engine/numbers/bytes.ts';
import type { FixedWindows } from './rate-limit.ts';
import { SharedWindows, type WindowReport } from './shared-windows.ts';

/** Interval between reports to the other nodes; windows that fill fast are reported earlier. */
export const REPORT_INTERVAL_MS = 100;
/** Number of intervals in which every running window is reported again: five seconds. */
const SWEEP_PARTS = 50;
/** Maximum size of a message; the NATS servers allow 1 MiB. */
const MAX_MESSAGE_BYTES = 65_536;
const TEXT = 1;
const NUMBER = 0;

/**
 * Shares rate-limit counts with the other nodes. Requests that are not reported yet let a client that uses N nodes at
 * once exceed its limit, by at most (N - 1) × (1/16 of the limit + the requests that a node authorizes while a message
 * is in transit).
 */
export class LimitSharing {
  private readonly topic: string;
  private readonly groups: readonly SharedWindows[];
  private readonly writer = new ByteWriter();
  private readonly timer: ReturnType<typeof setInterval>;
  private isReportScheduled = false;

  /**
   * @param windows In the same order on every node.
   * @param layout Describes the numbers of the windows. Nodes of another release may number them differently, so
   * nodes with another layout use another topic.
   */
  constructor(
    private readonly bus: Bus,
    windows: readonly FixedWindows[],
    layout: string,
    private readonly now: () => number,
  ) {
    this.topic = `limits-${Bun.hash.crc32(layout).toString(16)}`;
    this.groups = windows.map((each) => new SharedWindows(each, () => this.reportSoon()));
    bus.subscribe(this.topic, (bytes, from) => this.receive(bytes, from));
    this.timer = setInterval(() => this.reportAll(), REPORT_INTERVAL_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Reports the requests since the last report, and a part of all running windows again. */
  reportAll(): void {
    const now = this.now();
    this.report((group) => [...group.takeDue(now), ...group.takeSome(now, SWEEP_PARTS)]);
  }

  /** Reports after the current request, so that its counts go into one message. */
  private reportSoon(): void {
    if (this.isReportScheduled) return;
    this.isReportScheduled = true;
    queueMicrotask(() => {
      this.isReportScheduled = false;
      const now = this.now();
      this.report((group) => group.takeDue(now));
    });
  }

  private report(take: (group: SharedWindows) => readonly WindowReport[]): void {
    const { writer } = this;
    writer.reset();
    this.groups.forEach((group, index) => {
      for (const report of take(group)) {
        write(writer, index, report);
        if (writer.length >= MAX_MESSAGE_BYTES) this.send();
      }
    });
    if (writer.length > 0) this.send();
  }

  private send(): void {
    this.bus.publish(this.topic, this.writer.bytes());
    this.writer.reset();
  }

  private receive(bytes: Uint8Array, from: string): void {
    const reader = new ByteReader(bytes);
    const now = this.now();
    while (!reader.isAtEnd) {
      const group = this.groups[reader.byte()];
      const report = read(reader);
      group?.merge(from, report, now);
    }
  }
}

function write(writer: ByteWriter, group: number, report: WindowReport): void {
  const { endpoint, key, generation, own, ageMs } = report;
  writer.byte(group);
  writer.byte(endpoint);
  if (typeof key === 'number') {
    writer.byte(NUMBER);
    writer.uint32(key);
  } else {
    writer.byte(TEXT);
    writer.text(key);
  }
  writer.uint32(generation);
  writer.uint32(own);
  writer.uint32(ageMs);
}

function read(reader: ByteReader): WindowReport {
  const endpoint = reader.byte();
  const key = reader.byte() === NUMBER ? reader.uint32() : reader.text();
  const generation = reader.uint32();
  const own = reader.uint32();
  return { endpoint, key, generation, own, ageMs: reader.uint32() };
}
