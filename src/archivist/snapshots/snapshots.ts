import { ByteReader, ByteWriter } from '../../engine/numbers/bytes.ts';
import { equalHashes, HASH_BYTES } from '../../log/hash.ts';
import type { Position } from '../../log/log.ts';
import { StoredDataError } from '../../monitoring/operator-error.ts';
import { readAll, type Storage, writeAll } from '../../storage/storage.ts';

/** The state right after the batch at `position`. */
export interface Snapshot {
  readonly position: Position;
  readonly state: Uint8Array;
}

/** A snapshot file is damaged: an older one is used instead. */
export class SnapshotDamagedError extends StoredDataError {
  override readonly name = 'SnapshotDamagedError';
}

const NAME = /^(\d{16})\.snapshot$/;
const MAGIC = 0x4e535742;
const FORMAT = 1;
const KEPT = 2;

/** The snapshots of one data directory. The newest two are kept. */
export class SnapshotStore {
  constructor(
    private readonly storage: Storage,
    private readonly directory: string,
  ) {}

  /** Returns the sequences of all snapshots, newest first. */
  sequences(): number[] {
    return this.storage
      .list(this.directory)
      .map((name) => NAME.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => b - a);
  }

  /** @throws SnapshotDamagedError */
  read(sequence: number): Snapshot {
    const path = this.path(sequence);
    const bytes = readAll(this.storage, path);
    const damaged = () =>
      new SnapshotDamagedError(
        `${path} is damaged. Move it away; an older one or the log is used.`,
      );
    if (bytes.length < HASH_BYTES) throw damaged();
    const content = bytes.subarray(0, bytes.length - HASH_BYTES);
    const digest = sha256(content);
    if (!equalHashes(digest, bytes.subarray(bytes.length - HASH_BYTES))) throw damaged();
    const reader = new ByteReader(content);
    if (reader.uint32() !== MAGIC || reader.byte() !== FORMAT) throw damaged();
    const position = { sequence: reader.number(), hash: reader.raw() };
    if (position.sequence !== sequence) throw damaged();
    const headerBytes = 4 + 1 + 8 + 4 + position.hash.length;
    return { position, state: content.subarray(headerBytes) };
  }

  /** Writes a snapshot durably and atomically, and removes all but the newest two. */
  async write(position: Position, state: Uint8Array): Promise<void> {
    const header = new ByteWriter();
    header.uint32(MAGIC);
    header.byte(FORMAT);
    header.number(position.sequence);
    header.raw(position.hash);
    const digest = sha256(header.bytes(), state);
    const path = this.path(position.sequence);
    const partial = `${path}.part`;
    // Removes the file that a crash left behind.
    for (const name of this.storage.list(this.directory)) {
      if (name.endsWith('.snapshot.part')) this.storage.remove(`${this.directory}/${name}`);
    }
    const file = this.storage.create(partial);
    try {
      writeAll(file, header.bytes(), 0);
      writeAll(file, state, header.length);
      writeAll(file, digest, header.length + state.length);
      await file.sync();
    } finally {
      file.close();
    }
    this.storage.rename(partial, path);
    await this.storage.syncDirectory(this.directory);
    for (const old of this.sequences().slice(KEPT)) this.storage.remove(this.path(old));
  }

  private path(sequence: number): string {
    return `${this.directory}/${String(sequence).padStart(16, '0')}.snapshot`;
  }
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hasher = new Bun.SHA256();
  for (const part of parts) hasher.update(part);
  const digest = new Uint8Array(HASH_BYTES);
  hasher.digest(digest);
  return digest;
}
