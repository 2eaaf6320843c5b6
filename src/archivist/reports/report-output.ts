import { type Storage, type StorageFile, writeAll } from '../../storage/storage.ts';

/** Text is written once this much of it has been collected. */
const WRITE_CHARACTERS = 256 * 1024;
/** Bytes copied in one step: about a millisecond. */
const COPY_BYTES = 1024 * 1024;
/** Maximum size of a report's file. */
export const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** The file of a report would be larger than allowed. */
export class ReportTooLargeError extends Error {
  override readonly name = 'ReportTooLargeError';

  constructor() {
    super('The file would be larger than 2 GiB. Choose a shorter period.');
  }
}

/** Size and hash of a finished file. */
export interface FinishedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes the file of a report. Its body is written as it is made; what comes before it may depend on all of it, so the two
 * are put together at the end.
 */
export class ReportOutput {
  private readonly body: StorageFile;
  private text = '';
  private bodyBytes = 0;
  private isClosed = false;

  /** @param path Of the file, which appears once it is complete. */
  constructor(
    private readonly storage: Storage,
    private readonly path: string,
  ) {
    removeTemporary(storage, path);
    this.body = storage.create(bodyPath(path));
  }

  /** @throws ReportTooLargeError */
  write(text: string): void {
    this.text += text;
    if (this.text.length >= WRITE_CHARACTERS) this.flush();
  }

  /**
   * Completes the file in steps.
   * @param head Text before the body.
   */
  async *finish(head: string): AsyncGenerator<void, FinishedFile> {
    this.flush();
    const { storage, path, body } = this;
    const hasher = new Bun.CryptoHasher('sha256');
    const file = storage.create(partPath(path));
    try {
      let bytes = 0;
      const append = (chunk: Uint8Array) => {
        writeAll(file, chunk, bytes);
        hasher.update(chunk);
        bytes += chunk.length;
      };
      append(Buffer.from(head));
      const buffer = new Uint8Array(COPY_BYTES);
      for (let at = 0; at < this.bodyBytes; ) {
        const read = body.read(buffer, at);
        if (read === 0) throw new Error(`${path} was truncated while it was read.`);
        append(buffer.subarray(0, read));
        at += read;
        yield;
      }
      await file.sync();
      storage.rename(partPath(path), path);
      return { bytes, sha256: hasher.digest('hex') };
    } finally {
      file.close();
    }
  }

  /** Ends the use of the file, and removes everything that is not complete. */
  close(): void {
    // Another file may have got its descriptor.
    if (this.isClosed) return;
    this.isClosed = true;
    this.body.close();
    removeTemporary(this.storage, this.path);
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    this.text = '';
    if (this.bodyBytes + bytes.length > MAX_FILE_BYTES) throw new ReportTooLargeError();
    if (bytes.length > 0) writeAll(this.body, bytes, this.bodyBytes);
    this.bodyBytes += bytes.length;
  }
}

function bodyPath(path: string): string {
  return `${path}.body`;
}

function partPath(path: string): string {
  return `${path}.part`;
}

function removeTemporary(storage: Storage, path: string): void {
  const directory = path.slice(0, path.lastIndexOf('/'));
  const names = new Set(storage.list(directory));
  for (const each of [bodyPath(path), partPath(path)]) {
    if (names.has(each.slice(directory.length + 1))) storage.remove(each);
  }
}
