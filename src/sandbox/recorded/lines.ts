/** Far longer than a line with the twenty best levels of each side. */
const MAX_LINE_BYTES = 1 << 20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = '\r';

export interface Line {
  /** Without its line break. */
  readonly text: string;
  /** Whether it has a line break; only the last line of a file may have none. */
  readonly isComplete: boolean;
}

/**
 * Yields the lines of a file, in groups as they arrive.
 * @throws Error if a line is longer than 1 MiB: it is no text file
 */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder();
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) rest = joined(rest, chunk);
    else {
      const text = decoder.decode(joined(rest, chunk.subarray(0, end - 1)));
      rest = chunk.slice(end);
      yield text.split('\n').map((line) => ({ text: withoutReturn(line), isComplete: true }));
    }
    if (rest.length > MAX_LINE_BYTES) throw new Error('it has a line of more than 1 MiB');
  }
  if (rest.length > 0) yield [{ text: decoder.decode(rest), isComplete: false }];
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b.slice();
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function withoutReturn(line: string): string {
  return line.endsWith(CARRIAGE_RETURN) ? line.slice(0, -1) : line;
}
