const HEADER_END = Buffer.from('\r\n\r\n');
const LENGTH_NAME = Buffer.from('ontent-');
const EMPTY = -1;

/** Finds the end of HTTP answers. An answer that arrives in one piece is not copied. */
export class AnswerReader {
  /** HTTP status of the current answer, -1 before its header. */
  status = EMPTY;
  /** Remaining bytes of the answer, once its header was read. */
  private left = 0;
  private partial: Buffer | undefined;

  /** Takes received bytes. @returns Whether the answer is complete. */
  read(bytes: Buffer): boolean {
    if (this.left > 0) this.left -= bytes.length;
    else {
      const whole = this.partial === undefined ? bytes : Buffer.concat([this.partial, bytes]);
      const headerEnd = whole.indexOf(HEADER_END);
      if (headerEnd < 0) {
        this.partial = Buffer.from(whole);
        return false;
      }
      this.partial = undefined;
      this.status = Number(whole.toString('latin1', 9, 12));
      this.left = headerEnd + HEADER_END.length + contentLength(whole) - whole.length;
    }
    return this.left <= 0;
  }
}

function contentLength(head: Buffer): number {
  let at = head.indexOf(LENGTH_NAME);
  // Content-Type may come first.
  while (head[at + 7] !== 0x4c && head[at + 7] !== 0x6c) at = head.indexOf(LENGTH_NAME, at + 7);
  let length = 0;
  for (let i = at + 15; head[i] !== 0x0d; i++) length = length * 10 + head[i]! - 0x30;
  return length;
}
