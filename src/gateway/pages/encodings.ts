import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip' | 'identity';

const compressors = {
  br: (content: Uint8Array) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content: Uint8Array) => promisify(gzip)(content, { level: 9 }),
  identity: async (content: Uint8Array) => content,
};

/** A content in every encoding that was asked for, each made once, off the serving thread. */
export class Encodings {
  // Who does not read an answer costs no copy of a Blob, but one of its bytes.
  private readonly made = new Map<Encoding, Promise<Blob>>();

  constructor(private readonly content: Uint8Array) {}

  get(encoding: Encoding): Promise<Blob> {
    let encoded = this.made.get(encoding);
    if (encoded === undefined) {
      encoded = compressors[encoding](this.content).then(
        (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]),
      );
      this.made.set(encoding, encoded);
    }
    return encoded;
  }
}

/** The best that the header Accept-Encoding takes; a quality of 0 refuses one (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | null): Encoding {
  const taken = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name);
  if (taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
}
