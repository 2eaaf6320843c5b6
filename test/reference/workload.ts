/** The type of a message; the numbers are those of the file format. */
export enum Request {
  place = 0,
  cancel = 1,
  modify = 2,
}

const HEADER_BYTES = 16;
const RECORD_BYTES = 40;
/** Limited because ids index an array. */
const MAX_ID = 2 ** 27;

/** A message, in units of the market. Price and quantity of a cancel are unused. */
export interface Message {
  request: Request;
  side: number;
  immediateOrCancel: boolean;
  sequence: number;
  id: number;
  price: number;
  quantity: number;
}

/** Packed order flow, 32 bytes per message, which can be read in order without allocating. */
export class Workload {
  /** Per message: price, quantity, (words), sequence. */
  readonly numbers: Float64Array;
  /** Eight per message: at 4 request + 4 × side + 8 × immediate-or-cancel, at 5 the order id. */
  readonly words: Int32Array;
  maxId = 0;

  constructor(readonly count: number) {
    this.numbers = new Float64Array(count * 4);
    this.words = new Int32Array(this.numbers.buffer);
  }

  static of(messages: readonly Message[]): Workload {
    const workload = new Workload(messages.length);
    messages.forEach((message, index) => {
      workload.set(index, message);
    });
    return workload;
  }

  set(index: number, message: Message): void {
    const { request, side, immediateOrCancel, sequence, id, price, quantity } = message;
    const isNumeric = request === Request.cancel || (isAmount(price) && isAmount(quantity));
    const isKnown = Request[request] !== undefined && (side === 0 || side === 1);
    if (!isNumeric || !isKnown || !(id >= 0 && id <= MAX_ID) || !(sequence < 2 ** 48)) {
      throw new Error(`Message ${index} is out of range: ${JSON.stringify(message)}`);
    }
    this.numbers[index * 4] = price;
    this.numbers[index * 4 + 1] = quantity;
    this.words[index * 8 + 4] = request + 4 * side + (immediateOrCancel ? 8 : 0);
    this.words[index * 8 + 5] = id;
    this.numbers[index * 4 + 3] = sequence;
    if (id > this.maxId) this.maxId = id;
  }

  get(index: number): Message {
    const flags = this.words[index * 8 + 4]!;
    return {
      request: flags & 3,
      side: (flags >> 2) & 1,
      immediateOrCancel: (flags & 8) !== 0,
      sequence: this.numbers[index * 4 + 3]!,
      id: this.words[index * 8 + 5]!,
      price: this.numbers[index * 4]!,
      quantity: this.numbers[index * 4 + 1]!,
    };
  }
}

/**
 * Reads the unzipped binary format: a header of 16 bytes with the number of messages at byte 12, then 40 bytes per message,
 * little-endian. @throws Error if the size does not fit or a value is out of range
 */
export function readWorkload(bytes: Uint8Array): Workload {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength < HEADER_BYTES ? -1 : view.getUint32(12, true);
  if (bytes.byteLength !== HEADER_BYTES + count * RECORD_BYTES) {
    throw new Error(`Not a workload: ${bytes.byteLength} bytes do not hold ${count} messages.`);
  }
  const workload = new Workload(count);
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + index * RECORD_BYTES;
    workload.set(index, {
      request: view.getUint8(at),
      side: view.getUint8(at + 1),
      immediateOrCancel: view.getUint8(at + 2) !== 0,
      quantity: view.getUint32(at + 4, true),
      sequence: Number(view.getBigUint64(at + 8, true)),
      id: Number(view.getBigUint64(at + 16, true)),
      price: Number(view.getBigInt64(at + 24, true)),
    });
  }
  return workload;
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
