import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readQuality } from '../http/request/accept.ts';

type Encoding = 'br' | 'gzip' | 'identity';

/** Maximum size of content that is compressed at a high quality. */
const MAX_SLOW_BYTES = 1 << 20;

const compressors = {
  br: (content: Uint8Array) =>
    promisify(brotliCompress)(content, {
      params: {
        // Quality 10 needs a second for each megabyte, which the first reader would wait for.
        [constants.BROTLI_PARAM_QUALITY]: content.length < MAX_SLOW_BYTES ? 10 : 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content: Uint8Array) => promisify(gzip)(content, { level: 9 }),
  identity: async (content: Uint8Array) => content,
};

/** Content with its headers, as a response to one request. */
export interface Served {
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
}

/** The encodings of a content, each made once at its first request, in the thread pool. Compressed content has only one. */
export class Encodings {
  // Blobs, because bytes would be copied for each client that does not read its response.
  private readonly made = new Map<Encoding, Promise<Blob>>();

  constructor(
    private readonly content: Uint8Array,
    private readonly isCompressed = false,
  ) {}

  private get(encoding: Encoding): Promise<Blob> {
    let encoded = this.made.get(encoding);
    if (encoded === undefined) {
      encoded = compressors[encoding](this.content).then(
        (bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>]),
      );
      this.made.set(encoding, encoded);
    }
    return encoded;
  }

  /** Returns the content in the best encoding for a request. @param accepted The request's Accept-Encoding. */
  async serve(headers: Served['headers'], accepted: string | null): Promise<Served> {
    if (this.isCompressed) return { body: await this.get('identity'), headers };
    const encoding = encodingFor(accepted);
    const body = await this.get(encoding);
    const named = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
    return { body, headers: { ...headers, ...named, Vary: 'Accept-Encoding' } };
  }
}

/** Returns the best encoding that Accept-Encoding allows; a quality of 0 excludes one (RFC 9110, 12.5.3). */
export function encodingFor(accepted: string | null): Encoding {
  const allows = (encoding: Encoding) => readQuality(encoding, accepted) > 0;
  if (allows('br')) return 'br';
  return allows('gzip') ? 'gzip' : 'identity';
}
