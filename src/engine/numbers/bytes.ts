import { type Exact, exact } from './exact.ts';

/** Writes little-endian binary data into a growing buffer. `reset` keeps the memory for reuse. */
export class ByteWriter {
  private buffer: Uint8Array;
  private view: DataView;
  private offset = 0;

  /** @param sizeBytes Expected size: growing copies the buffer. */
  constructor(sizeBytes = 4096) {
    this.buffer = new Uint8Array(sizeBytes);
    this.view = new DataView(this.buffer.buffer);
  }

  get length(): number {
    return this.offset;
  }

  reset(): void {
    this.offset = 0;
  }

  /** Discards everything written after `length` bytes. */
  truncate(length: number): void {
    this.offset = length;
  }

  /** Returns the written bytes, without a copy: valid until the next write. */
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.offset);
  }

  /** Returns a part of the written bytes, without a copy: valid until the next write. */
  part(begin: number, end: number): Uint8Array {
    return this.buffer.subarray(begin, end);
  }

  /** Writes bytes without their length. */
  append(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.buffer.set(bytes, this.offset);
    this.offset += bytes.length;
  }

  byte(value: number): void {
    this.ensure(1);
    this.buffer[this.offset++] = value;
  }

  /** @param value 0 to 2^32 - 1. */
  uint32(value: number): void {
    this.ensure(4);
    this.view.setUint32(this.offset, value, true);
    this.offset += 4;
  }

  int32(value: number): void {
    this.ensure(4);
    this.view.setInt32(this.offset, value, true);
    this.offset += 4;
  }

  /** Writes any number; safe integers are exact. */
  number(value: number): void {
    this.ensure(8);
    this.view.setFloat64(this.offset, value, true);
    this.offset += 8;
  }

  /**
   * Writes an integer of any size: a tag and a number, or a tag for the sign, a length and the
   * bytes of the magnitude.
   */
  exact(value: Exact): void {
    if (typeof value === 'number') {
      this.byte(IS_NUMBER);
      this.number(value);
      return;
    }
    const digits = (value < 0n ? -value : value).toString(16);
    const padded = digits.length % 2 === 0 ? digits : `0${digits}`;
    const count = padded.length / 2;
    this.ensure(3 + count);
    this.byte(value < 0n ? IS_BELOW_ZERO : IS_ABOVE_ZERO);
    this.byte(count & 0xff);
    this.byte(count >>> 8);
    for (let i = 0; i < count; i++) {
      this.buffer[this.offset++] = Number.parseInt(padded.slice(i * 2, i * 2 + 2), 16);
    }
  }

  /** Writes UTF-8 text after its length. @throws RangeError above 65,535 bytes. */
  text(value: string): void {
    const { length } = value;
    this.ensure(2 + length * 3);
    const start = this.offset;
    this.offset += 2;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) {
        this.encodedText(value, start);
        return;
      }
      this.buffer[this.offset++] = code;
    }
    this.setLength(start, length);
  }

  /** Writes bytes after their length. */
  raw(value: Uint8Array): void {
    this.uint32(value.length);
    this.append(value);
  }

  private encodedText(value: string, start: number): void {
    const { written } = encoder.encodeInto(value, this.buffer.subarray(start + 2));
    this.setLength(start, written);
    this.offset = start + 2 + written;
  }

  private setLength(at: number, length: number): void {
    if (length > 0xffff) throw new RangeError(`text may have at most 65,535 bytes, not ${length}`);
    this.view.setUint16(at, length, true);
  }

  private ensure(count: number): void {
    if (this.offset + count <= this.buffer.length) return;
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.offset + count));
    grown.set(this.bytes());
    this.buffer = grown;
    this.view = new DataView(grown.buffer);
  }
}

/** Tags of the forms of an integer. */
const IS_ABOVE_ZERO = 0;
const IS_BELOW_ZERO = 1;
const IS_NUMBER = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Reads data written by ByteWriter. @throws RangeError at the end of the bytes. */
export class ByteReader {
  private readonly view: DataView;
  private offset = 0;

  constructor(private readonly buffer: Uint8Array) {
    this.view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }

  get isAtEnd(): boolean {
    return this.offset === this.buffer.length;
  }

  byte(): number {
    const value = this.view.getUint8(this.offset);
    this.offset += 1;
    return value;
  }

  uint32(): number {
    const value = this.view.getUint32(this.offset, true);
    this.offset += 4;
    return value;
  }

  int32(): number {
    const value = this.view.getInt32(this.offset, true);
    this.offset += 4;
    return value;
  }

  number(): number {
    const value = this.view.getFloat64(this.offset, true);
    this.offset += 8;
    return value;
  }

  exact(): Exact {
    const form = this.byte();
    if (form === IS_NUMBER) return this.number();
    const count = this.byte() + this.byte() * 256;
    let value = 0n;
    for (let i = 0; i < count; i++) value = value * 256n + BigInt(this.byte());
    return exact(form === IS_BELOW_ZERO ? -value : value);
  }

  text(): string {
    const length = this.view.getUint16(this.offset, true);
    this.offset += 2;
    return decoder.decode(this.take(length));
  }

  /** Returns a copy, so that it does not keep the whole buffer alive. */
  raw(): Uint8Array {
    return this.take(this.uint32()).slice();
  }

  private take(length: number): Uint8Array {
    const end = this.offset + length;
    if (end > this.buffer.length) throw new RangeError('unexpected end of the bytes');
    const part = this.buffer.subarray(this.offset, end);
    this.offset = end;
    return part;
  }
}
