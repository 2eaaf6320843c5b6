import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Side } from '../../engine/terms.ts';
import type { Decimal } from './decimal.ts';
import type { Row } from './row.ts';

// Checked rows in binary files, so that they are played without waiting for the disk or the unpacking of an archive, in
// bounded memory. A row: time (float64), kind, side, number of decimals, length of its id (a byte each), then per decimal
// its units (float64) and decimals (a byte), and the id in ASCII.

const KINDS = ['trade', 'kline', 'order', 'cancel', 'level', 'clear'] as const;
const HEAD_BYTES = 12;
const DECIMAL_BYTES = 9;
/** A kline has six numbers; no row with numbers like these has an id too. */
const MAX_ROW_BYTES = 256;
const BUFFER_BYTES = 1 << 16;

/** Writes rows to a file, which it creates or replaces. */
export class SpoolWriter {
  private readonly fd: number;
  private readonly buffer = Buffer.alloc(BUFFER_BYTES);
  private used = 0;

  constructor(path: string) {
    this.fd = openSync(path, 'w', 0o600);
  }

  write(row: Row): void {
    if (this.used + MAX_ROW_BYTES > BUFFER_BYTES) this.flush();
    const { buffer } = this;
    const decimals = rowDecimals(row);
    const id = 'id' in row ? row.id : '';
    let at = buffer.writeDoubleLE(row.time, this.used);
    at = buffer.writeUInt8(KINDS.indexOf(row.kind), at);
    at = buffer.writeUInt8('side' in row ? row.side : 0, at);
    at = buffer.writeUInt8(decimals.length, at);
    at = buffer.writeUInt8(id.length, at);
    for (const { units, decimals: digits } of decimals) {
      at = buffer.writeUInt8(digits, buffer.writeDoubleLE(units, at));
    }
    this.used = at + buffer.write(id, at, 'latin1');
  }

  close(): void {
    this.flush();
    closeSync(this.fd);
  }

  private flush(): void {
    for (let done = 0; done < this.used; ) {
      done += writeSync(this.fd, this.buffer, done, this.used - done);
    }
    this.used = 0;
  }
}

/** Yields the rows of a file that a `SpoolWriter` wrote. */
export function* readSpool(path: string): Generator<Row> {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(BUFFER_BYTES);
    let end = 0;
    while (true) {
      const count = readSync(fd, buffer, end, BUFFER_BYTES - end, null);
      end += count;
      let at = 0;
      while (at < end && (end - at >= MAX_ROW_BYTES || count === 0)) {
        const row = readRow(buffer, at);
        at += rowBytes(buffer, at);
        yield row;
      }
      if (count === 0) return;
      buffer.copy(buffer, 0, at, end);
      end -= at;
    }
  } finally {
    closeSync(fd);
  }
}

function rowBytes(buffer: Buffer, at: number): number {
  return HEAD_BYTES + DECIMAL_BYTES * buffer[at + 10]! + buffer[at + 11]!;
}

function readRow(buffer: Buffer, at: number): Row {
  const time = buffer.readDoubleLE(at);
  const kind = KINDS[buffer[at + 8]!]!;
  const side = buffer[at + 9]! as Side;
  const decimal = (index: number): Decimal => {
    const start = at + HEAD_BYTES + DECIMAL_BYTES * index;
    return { units: buffer.readDoubleLE(start), decimals: buffer[start + 8]! };
  };
  const readId = () => {
    const start = at + HEAD_BYTES + DECIMAL_BYTES * buffer[at + 10]!;
    return buffer.toString('latin1', start, start + buffer[at + 11]!);
  };
  switch (kind) {
    case 'clear':
      return { kind, time };
    case 'cancel':
      return { kind, time, id: readId() };
    case 'order':
      return { kind, time, id: readId(), side, price: decimal(0), amount: decimal(1) };
    case 'kline':
      return {
        kind,
        time,
        closeTime: decimal(0).units,
        open: decimal(1),
        high: decimal(2),
        low: decimal(3),
        close: decimal(4),
        volume: decimal(5),
      };
    default:
      return { kind, time, side, price: decimal(0), amount: decimal(1) };
  }
}

function rowDecimals(row: Row): readonly Decimal[] {
  switch (row.kind) {
    case 'clear':
    case 'cancel':
      return [];
    case 'kline': {
      const closeTime = { units: row.closeTime, decimals: 0 };
      return [closeTime, row.open, row.high, row.low, row.close, row.volume];
    }
    default:
      return [row.price, row.amount];
  }
}
