const HEADER_END = Buffer.from('\r\n\r\n');
const LENGTH_NAME = Buffer.from('ontent-');
const EMPTY = -1;

/** What is left to read of the answer to one request; copies nothing where it comes in one piece. */
export class AnswerReader {
  /** HTTP status of the answer that is being read, -1 before its header. */
  status = EMPTY;
  /** Bytes of the answer still to come, once its header was read. */
  private left = 0;
  private partial: Buffer | undefined;

  /** Takes what came; whether that was the end of the answer. */
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
