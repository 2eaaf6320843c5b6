import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeZip } from './zip-writer.ts';

const DAY_MS = 86_400_000;
/** Characters collected before a write. */
const WRITE_CHARACTERS = 256 * 1024;

/** The rows of one kind, market and day, which become a zip file. */
export class DayFile {
  private readonly path: string;
  private readonly source: string;
  private readonly file: number | undefined;
  private text = '';

  /**
   * Files that exist are complete, and are left as they are.
   * @param out The directory of all files. @param folder Such as `trades/BTCUSDT`. @param name Such as `BTCUSDT-trades`.
   * @param day Start of the day, milliseconds since 1970.
   */
  constructor(
    out: string,
    folder: string,
    name: string,
    private readonly day: number,
  ) {
    const date = new Date(day).toISOString().slice(0, 10);
    this.path = join(out, 'data/spot/daily', folder, `${name}-${date}.zip`);
    this.source = this.path.replace(/zip$/, 'csv');
    if (existsSync(this.path)) return;
    mkdirSync(dirname(this.path), { recursive: true });
    this.file = openSync(this.source, 'w');
  }

  /** Whether the rows are needed. */
  get isNew(): boolean {
    return this.file !== undefined;
  }

  write(row: string): void {
    if (this.file === undefined) return;
    this.text += `${row}\n`;
    if (this.text.length >= WRITE_CHARACTERS) this.flush();
  }

  /** Writes the zip file and its checksum. */
  async finish(): Promise<void> {
    if (this.file === undefined) return;
    this.flush();
    closeSync(this.file);
    const name = this.source.slice(dirname(this.source).length + 1);
    await writeZip(this.path, this.source, name, this.day + DAY_MS);
    rmSync(this.source);
  }

  /** Removes the rows of a day that is not over. */
  discard(): void {
    if (this.file === undefined) return;
    closeSync(this.file);
    rmSync(this.source);
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    this.text = '';
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.file!, bytes, done, bytes.length - done);
    }
  }
}
