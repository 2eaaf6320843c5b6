import { type ElementHashes, mix, mixNumber } from '../digest.ts';
import { type ByteReader, ByteWriter } from '../numbers/bytes.ts';

/** The bytes of a kind of record in snapshots; its hash in the digest is made of the same bytes. */
export interface RecordLayout<Item> {
  /** Distinguishes the kind in the digest; it never changes. */
  readonly tag: number;
  write(writer: ByteWriter, item: Item): void;
  read(reader: ByteReader): Item;
}

const scratch = new ByteWriter();

/**
 * Records by id that are in the digest. A record is never changed in place: `set` replaces it. Iterates in the order in
 * which ids were first added, which snapshots keep.
 */
export class Records<Item extends { readonly id: number }> {
  private readonly items = new Map<number, Item>();

  constructor(
    private readonly hashes: ElementHashes,
    private readonly layout: RecordLayout<Item>,
  ) {}

  get size(): number {
    return this.items.size;
  }

  get(id: number): Item | undefined {
    return this.items.get(id);
  }

  values(): MapIterator<Item> {
    return this.items.values();
  }

  /** Adds a record, or replaces the one with its id. */
  set(item: Item): void {
    const before = this.items.get(item.id);
    if (before !== undefined) this.hashes.exclude(this.hash(before));
    this.items.set(item.id, item);
    this.hashes.include(this.hash(item));
  }

  delete(id: number): void {
    const before = this.items.get(id);
    if (before === undefined) return;
    this.hashes.exclude(this.hash(before));
    this.items.delete(id);
  }

  /** Returns the sum of all hashes, computed from all records. */
  countDigest(): number {
    let sum = 0;
    for (const item of this.items.values()) sum = (sum + this.hash(item)) | 0;
    return sum;
  }

  write(writer: ByteWriter): void {
    writer.uint32(this.items.size);
    for (const item of this.items.values()) this.layout.write(writer, item);
  }

  /** Reads what `write` wrote. @param add Adds each record, at least by `set`. */
  read(reader: ByteReader, add: (item: Item) => void = (item) => this.set(item)): void {
    for (let left = reader.uint32(); left > 0; left--) add(this.layout.read(reader));
  }

  private hash(item: Item): number {
    scratch.reset();
    this.layout.write(scratch, item);
    let hash = mixNumber(mix(70, this.layout.tag), item.id);
    for (const byte of scratch.bytes()) hash = mix(hash, byte);
    return hash;
  }
}
