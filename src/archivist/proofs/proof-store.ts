import { join } from 'node:path';
import * as logger from '../../monitoring/logger.ts';
import { readAll, type Storage, writeAll } from '../../storage/storage.ts';
import type { LiabilityProof, LiabilityTrees } from './liabilities.ts';
import { deriveNonce } from './liability-hashes.ts';
import { type IncludedBalance, ProofFile, writeProof } from './proof-file.ts';

/** Proofs that are kept, the last one made and the newest others: a month of daily proofs. */
export const MAX_PROOFS = 32;
const NAME = /^(\d{20})\.proof$/;
const SECRET = 'secret';
const SECRET_BYTES = 32;
/** Suffix of files that are being written. */
const PART = '.part';

/** The proofs of liabilities of a data directory, and the secret from which their nonces are derived. */
export class ProofStore {
  /** The newest first; read when first needed. */
  private files: ProofFile[] | undefined;

  constructor(
    private readonly storage: Storage,
    private readonly directory: string,
    private readonly warn: (message: string) => void = logger.warn,
  ) {}

  /** Returns the proofs, the newest first. */
  list(): LiabilityProof[] {
    return this.open().map(({ proof }) => proof);
  }

  find(position: number): ProofFile | undefined {
    return this.open().find(({ proof }) => proof.position === position);
  }

  /**
   * Returns the balances of an account in a proof.
   * @returns Undefined if the file is damaged.
   */
  inclusion(file: ProofFile, account: string): IncludedBalance[] | undefined {
    const secret = readSecret(this.storage, this.directory);
    if (secret === undefined) return undefined;
    const logHash = Uint8Array.fromHex(file.proof.logHash);
    return file.inclusion((asset) => deriveNonce(secret, logHash, asset, account));
  }

  /** Returns the secret; makes it if there is none yet. */
  async secret(): Promise<Uint8Array> {
    const { storage, directory } = this;
    const known = readSecret(storage, directory);
    if (known !== undefined) return known;
    await storage.makeDirectory(directory);
    const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const path = join(directory, SECRET);
    this.removeIfThere(`${SECRET}${PART}`);
    const file = storage.create(path + PART);
    try {
      writeAll(file, secret, 0);
      await file.sync();
    } finally {
      file.close();
    }
    storage.rename(path + PART, path);
    await storage.syncDirectory(directory);
    return secret;
  }

  /** Keeps a proof, in steps, and removes the oldest ones. Resolves once it is durable. */
  async *write(trees: LiabilityTrees): AsyncGenerator<void> {
    const { storage, directory } = this;
    const name = `${String(trees.proof.position).padStart(20, '0')}.proof`;
    const path = join(directory, name);
    this.removeIfThere(name + PART);
    const file = storage.create(path + PART);
    try {
      yield* writeProof(file, trees);
    } catch (error) {
      // The disk may be full.
      storage.remove(path + PART);
      throw error;
    } finally {
      file.close();
    }
    storage.rename(path + PART, path);
    this.files = undefined;
    // The new one stays also if it is of a position before all others.
    const others = storage.list(directory).filter((each) => NAME.test(each) && each !== name);
    for (const old of others.slice(0, 1 - MAX_PROOFS)) storage.remove(join(directory, old));
    await storage.syncDirectory(directory);
  }

  private removeIfThere(name: string): void {
    if (this.storage.list(this.directory).includes(name)) {
      this.storage.remove(join(this.directory, name));
    }
  }

  private open(): readonly ProofFile[] {
    this.files ??= this.names()
      .reverse()
      .flatMap((name) => {
        const path = join(this.directory, name);
        const file = ProofFile.open(this.storage, path);
        if (file?.proof.position === Number.parseInt(name, 10)) return [file];
        this.warn(`${path} is damaged and is not shown. Remove it, and make the proof again.`);
        return [];
      });
    return this.files;
  }

  private names(): string[] {
    return listOrEmpty(this.storage, this.directory).filter((name) => NAME.test(name));
  }
}

/** Returns the secret from which an exchange's nonces are derived; undefined if it has made no proof yet. */
export function readSecret(storage: Storage, directory: string): Uint8Array | undefined {
  return listOrEmpty(storage, directory).includes(SECRET)
    ? readAll(storage, join(directory, SECRET))
    : undefined;
}

function listOrEmpty(storage: Storage, directory: string): string[] {
  try {
    return storage.list(directory);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
}
