import { dirname, resolve } from 'node:path';
import { below, type Random } from '../storage/seeded-random.ts';
import type { Storage, StorageFile } from '../storage/storage.ts';
import { Inode } from './simulated-file.ts';

/** An operation that is about to change the disk or make changes durable. */
export interface Operation {
  readonly kind: 'create' | 'write' | 'truncate' | 'sync' | 'rename' | 'remove' | 'syncDirectory';
  readonly path: string;
  /** Bytes of a write; 0 for other operations. */
  readonly sizeBytes: number;
}

type Entries = Map<string, Inode>;
type EntryChange = (entries: Entries) => void;

/**
 * A disk in memory that tracks which data is durable: file content after `sync`, names after `syncDirectory`. Everything else
 * may or may not survive a power loss.
 */
export class SimulatedStorage implements Storage {
  /**
   * Called before each operation. If it throws, the operation fails with that error; if it returns a number, a write is
   * that short. After a failed sync the data stays visible but never becomes durable.
   */
  onOperation: ((operation: Operation) => number | undefined) | undefined;
  /** Total size of all files at which the disk is full. */
  capacityBytes = Number.POSITIVE_INFINITY;

  private readonly directories = new Set(['/']);
  private visible: Entries = new Map();
  private readonly durable: Entries = new Map();
  private readonly unsynced = new Map<string, EntryChange[]>();

  /** Directories are durable at once, because no code removes or renames one. */
  async makeDirectory(path: string): Promise<void> {
    for (let at = resolve(path); !this.directories.has(at); at = dirname(at)) {
      this.directories.add(at);
    }
  }

  list(directory: string): string[] {
    const prefix = `${this.existing(directory)}/`;
    const paths = [...this.visible.keys()].filter((path) => path.startsWith(prefix));
    const names = paths.map((path) => path.slice(prefix.length));
    return names.filter((name) => !name.includes('/')).sort();
  }

  create(path: string): StorageFile {
    const name = resolve(path);
    if (this.visible.has(name)) throw systemError('EEXIST', path);
    this.announce('create', name);
    const inode = new Inode(new Uint8Array(0));
    this.changeEntries(name, (entries) => entries.set(name, inode));
    return new SimulatedFile(this, name, inode);
  }

  open(path: string): StorageFile {
    const name = resolve(path);
    return new SimulatedFile(this, name, this.inode(name));
  }

  openForReading(path: string): StorageFile {
    return this.open(path);
  }

  rename(from: string, to: string): void {
    const [source, target] = [resolve(from), resolve(to)];
    if (dirname(source) !== dirname(target)) throw new Error('Rename stays within a directory.');
    const inode = this.inode(source);
    this.announce('rename', target);
    this.changeEntries(target, (entries) => {
      entries.delete(source);
      entries.set(target, inode);
    });
  }

  remove(path: string): void {
    const name = resolve(path);
    this.inode(name);
    this.announce('remove', name);
    this.changeEntries(name, (entries) => entries.delete(name));
  }

  async syncDirectory(directory: string): Promise<void> {
    const name = this.existing(directory);
    this.announce('syncDirectory', name);
    for (const change of this.unsynced.get(name) ?? []) change(this.durable);
    this.unsynced.delete(name);
  }

  /** Returns a disk as it may be after a power loss now. This one is unchanged. */
  afterPowerLoss(random: Random): SimulatedStorage {
    const entries: Entries = new Map(this.durable);
    for (const changes of this.unsynced.values()) {
      const kept = below(changes.length + 1, random);
      const inOrder = random() < 0.5;
      changes.forEach((change, index) => {
        if (inOrder ? index < kept : random() < 0.5) change(entries);
      });
    }
    return this.image(entries, (inode) => inode.afterPowerLoss(random));
  }

  /** Returns a disk on which everything visible now is durable. */
  copy(): SimulatedStorage {
    return this.image(this.visible, (inode) => inode.visible.bytes);
  }

  /** Replaces a file's durable content, as bit rot or a user's mistake would. */
  corrupt(path: string, damage: (bytes: Uint8Array) => Uint8Array): void {
    const name = resolve(path);
    const inode = new Inode(damage(this.inode(name).visible.bytes.slice()));
    this.visible.set(name, inode);
    this.durable.set(name, inode);
  }

  /** Reports an operation of a file. @returns the number of bytes that a write may store */
  announce(kind: Operation['kind'], path: string, sizeBytes = 0): number {
    return this.onOperation?.({ kind, path, sizeBytes }) ?? sizeBytes;
  }

  /** Returns the number of bytes by which a file may grow. */
  remaining(): number {
    let used = 0;
    for (const inode of this.visible.values()) used += inode.visible.sizeBytes;
    return Math.max(0, this.capacityBytes - used);
  }

  private image(entries: Entries, content: (inode: Inode) => Uint8Array): SimulatedStorage {
    const image = new SimulatedStorage();
    for (const directory of this.directories) image.directories.add(directory);
    for (const [path, inode] of entries) image.durable.set(path, new Inode(content(inode)));
    image.visible = new Map(image.durable);
    return image;
  }

  private changeEntries(path: string, change: EntryChange): void {
    const directory = this.existing(dirname(path));
    change(this.visible);
    const changes = this.unsynced.get(directory);
    if (changes) changes.push(change);
    else this.unsynced.set(directory, [change]);
  }

  private existing(directory: string): string {
    const name = resolve(directory);
    if (!this.directories.has(name)) throw systemError('ENOENT', directory);
    return name;
  }

  private inode(path: string): Inode {
    const inode = this.visible.get(path);
    if (inode === undefined) throw systemError('ENOENT', path);
    return inode;
  }
}

class SimulatedFile implements StorageFile {
  constructor(
    private readonly storage: SimulatedStorage,
    private readonly path: string,
    private readonly inode: Inode,
  ) {}

  size(): number {
    return this.inode.visible.sizeBytes;
  }

  read(target: Uint8Array, position: number): number {
    const found = this.inode.visible.bytes.subarray(position, position + target.length);
    target.set(found);
    return found.length;
  }

  write(bytes: Uint8Array, position: number): number {
    const accepted = this.storage.announce('write', this.path, bytes.length);
    const growth = position + accepted - this.size();
    const taken = accepted - Math.max(0, growth - this.storage.remaining());
    if (taken <= 0 && bytes.length > 0) throw systemError('ENOSPC', this.path);
    this.inode.write(bytes.subarray(0, taken), position);
    return taken;
  }

  truncate(sizeBytes: number): void {
    this.storage.announce('truncate', this.path);
    this.inode.truncate(sizeBytes);
  }

  async sync(): Promise<void> {
    try {
      this.storage.announce('sync', this.path);
    } catch (error) {
      this.inode.failSync();
      throw error;
    }
    this.inode.sync();
  }

  close(): void {}
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
