import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readQuality } from '../http/request/accept.ts';

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

/** The encodings of a content, each made once at its first request, in the thread pool. */
export class Encodings {
  // Blobs, because bytes would be copied for each client that does not read its response.
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

/** Returns the best encoding that Accept-Encoding allows; a quality of 0 excludes one (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | null): Encoding {
  const allows = (encoding: Encoding) => readQuality(encoding, accepted) > 0;
  if (allows('br')) return 'br';
  return allows('gzip') ? 'gzip' : 'identity';
}
