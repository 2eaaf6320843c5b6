import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** A temporary directory for recorded files, removed by `using`. */
export class RecordedFiles implements Disposable {
  private readonly directory = mkdtempSync(join(tmpdir(), 'buttonwood-recorded-'));

  /** Writes a file. @returns its path */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.directory, name);
    writeFileSync(path, content);
    return path;
  }

  /** The directory for checked rows. */
  get spool(): string {
    return join(this.directory, 'spool');
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Returns a zip archive of one deflated file. */
export function zipped(name: string, text: string): Buffer {
  const content = Buffer.from(text);
  const packed = deflateRawSync(content);
  const fields = (signature: number, before: readonly number[]) => {
    const header = Buffer.alloc(4 + 2 * before.length + 16);
    header.writeUInt32LE(signature);
    for (const [index, value] of before.entries()) header.writeUInt16LE(value, 4 + 2 * index);
    const at = header.length - 16;
    header.writeUInt32LE(crc32(content), at);
    header.writeUInt32LE(packed.length, at + 4);
    header.writeUInt32LE(content.length, at + 8);
    header.writeUInt16LE(name.length, at + 12);
    return header;
  };
  // Version, flags, method 8 (deflate), time and date.
  const local = fields(0x04034b50, [20, 0, 8, 0, 0]);
  const entry = Buffer.concat([fields(0x02014b50, [20, 20, 0, 8, 0, 0]), Buffer.alloc(14)]);
  const start = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}
