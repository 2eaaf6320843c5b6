import { below, type Random } from '../storage/seeded-random.ts';

/** Sectors are written atomically. */
const SECTOR_BYTES = 512;

/** A growing byte array. */
export class Content {
  sizeBytes = 0;
  private buffer = new Uint8Array(0);

  static of(bytes: Uint8Array): Content {
    const content = new Content();
    content.write(bytes, 0);
    return content;
  }

  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.sizeBytes);
  }

  write(bytes: Uint8Array, position: number): void {
    this.resize(Math.max(this.sizeBytes, position + bytes.length));
    this.buffer.set(bytes, position);
  }

  resize(sizeBytes: number): void {
    if (sizeBytes > this.buffer.length) {
      const larger = new Uint8Array(Math.max(sizeBytes, 2 * this.buffer.length));
      larger.set(this.bytes);
      this.buffer = larger;
    }
    this.buffer.fill(0, sizeBytes, this.sizeBytes);
    this.sizeBytes = sizeBytes;
  }
}

type Change =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly sizeBytes: number; readonly formerBytes: number };

/** A file's visible content, its durable content, and the changes between the two. */
export class Inode {
  /** The visible content: the page cache. */
  readonly visible: Content;
  private readonly durable: Content;
  private unsynced: Change[] = [];

  constructor(bytes: Uint8Array) {
    this.visible = Content.of(bytes);
    this.durable = Content.of(bytes);
  }

  write(bytes: Uint8Array, position: number): void {
    this.change({ kind: 'write', position, bytes: bytes.slice() });
  }

  truncate(sizeBytes: number): void {
    this.change({ kind: 'resize', sizeBytes, formerBytes: this.visible.sizeBytes });
  }

  sync(): void {
    for (const change of this.unsynced) apply(this.durable, change);
    this.unsynced = [];
  }

  /**
   * Simulates a failed sync: as on Linux, the changes stay visible but count as written and are not written again.
   */
  failSync(): void {
    this.unsynced = [];
  }

  /** Returns a possible content after a power loss: unsynced changes are lost, kept, cut or scattered. */
  afterPowerLoss(random: Random): Uint8Array {
    const content = Content.of(this.durable.bytes);
    const fate = this.unsynced.length === 0 ? 0 : below(4, random);
    if (fate === 1) for (const change of this.unsynced) apply(content, change);
    if (fate === 2) this.keepBeginning(content, random);
    if (fate === 3) this.keepScattered(content, random);
    return content.bytes;
  }

  private change(change: Change): void {
    apply(this.visible, change);
    this.unsynced.push(change);
  }

  /** Changes reach the disk in order, up to a sector within one of them. */
  private keepBeginning(content: Content, random: Random): void {
    const whole = below(this.unsynced.length, random);
    for (const change of this.unsynced.slice(0, whole)) apply(content, change);
    const cut = this.unsynced[whole]!;
    if (cut.kind === 'resize') return;
    const end = cut.position + below(cut.bytes.length + 1, random);
    const sectorEnd = end - (end % SECTOR_BYTES);
    if (sectorEnd <= cut.position) return;
    content.write(cut.bytes.subarray(0, sectorEnd - cut.position), cut.position);
  }

  /** Each sector, and the size, is independently in any state between the synced and the newest one. */
  private keepScattered(content: Content, random: Random): void {
    const sized = Content.of(this.durable.bytes);
    const changes = below(this.unsynced.length + 1, random);
    for (const change of this.unsynced.slice(0, changes)) apply(sized, change);
    const growth = sized.sizeBytes - content.sizeBytes;
    content.resize(content.sizeBytes + (random() < 0.5 ? growth : Math.trunc(growth * random())));
    for (const sector of this.unsyncedSectors()) {
      const start = sector * SECTOR_BYTES;
      const remaining = content.sizeBytes - start;
      if (remaining <= 0) continue;
      const state = this.sectorAfter(start, below(this.unsynced.length + 1, random));
      content.write(state.subarray(0, remaining), start);
    }
  }

  private unsyncedSectors(): Set<number> {
    const sectors = new Set<number>();
    for (const change of this.unsynced) {
      const [start, end] = extent(change);
      for (let at = start - (start % SECTOR_BYTES); at < end; at += SECTOR_BYTES) {
        sectors.add(at / SECTOR_BYTES);
      }
    }
    return sectors;
  }

  /** Returns the sector at `start` after the first `count` unsynced changes. */
  private sectorAfter(start: number, count: number): Uint8Array {
    const sector = new Uint8Array(SECTOR_BYTES);
    sector.set(this.durable.bytes.subarray(start, start + SECTOR_BYTES));
    for (const change of this.unsynced.slice(0, count)) {
      const from = Math.max(extent(change)[0] - start, 0);
      const to = Math.min(extent(change)[1] - start, SECTOR_BYTES);
      if (from >= to) continue;
      if (change.kind === 'resize') sector.fill(0, from, to);
      else {
        const skipped = start + from - change.position;
        sector.set(change.bytes.subarray(skipped, skipped + to - from), from);
      }
    }
    return sector;
  }
}

function apply(content: Content, change: Change): void {
  if (change.kind === 'write') content.write(change.bytes, change.position);
  else content.resize(change.sizeBytes);
}

/** Returns the start and end of the bytes that a change affects. */
function extent(change: Change): [start: number, end: number] {
  if (change.kind === 'write') return [change.position, change.position + change.bytes.length];
  return [change.sizeBytes, Math.max(change.sizeBytes, change.formerBytes)];
}
