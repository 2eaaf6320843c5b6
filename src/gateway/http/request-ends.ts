import { readBytes } from './request/call.ts';
import type { PeerSource } from './request/client-address.ts';
import { ApiError } from './response/errors.ts';

/**
 * The time for which a request with a chunked body waits for the bytes after its last chunk. The server reports the body
 * as complete at `0 CRLF`, before the trailers and the final CRLF, which may arrive in another segment.
 */
const CHUNKED_WAIT_MS = 20;
const SPACE = 0x20;
const CLOSING_BRACE = 0x7d;

const CUT_SHORT = new ApiError(
  'INVALID_REQUEST',
  'The connection ended before the request was complete. Send the whole request.',
  {
    rule: 'wholeRequest',
  },
);

/**
 * Waits for the end of requests before they are carried out. The server hands over a request as soon as its body
 * is complete, and only then parses the bytes that arrived after it. If it cannot parse those, it answers 400 and
 * closes the connection, so a request that was carried out in between would get the response of one that was not.
 */
export class RequestEnds {
  /** Resolves after the current turn of the event loop; shared by all requests that were read in it. */
  private turn: Promise<void> | undefined;

  /**
   * Reads a request that may change something to its end.
   * @returns The body, or the error that it is rejected with; undefined if the endpoint takes none.
   * @throws ApiError INVALID_REQUEST if the connection ended before the request did
   */
  async read(
    request: Request,
    peers: PeerSource,
    takesBody: boolean,
  ): Promise<Uint8Array | ApiError | undefined> {
    const bytes = takesBody || isBodySent(request) ? await readBytes(request) : undefined;
    // A body that is not a whole object changes nothing, so its error needs no wait.
    if (takesBody && (bytes instanceof ApiError || isCutOff(bytes!))) return bytes;
    if (!(await this.waitForEnd(request, peers))) throw CUT_SHORT;
    return takesBody ? bytes : undefined;
  }

  /**
   * Resolves once the server has parsed everything that arrived together with a request whose body is read.
   * @returns Whether the connection is still open. If not, the request must not be carried out.
   */
  async waitForEnd(request: Request, peers: PeerSource): Promise<boolean> {
    if (request.headers.has('transfer-encoding')) {
      await new Promise((resolve) => setTimeout(resolve, CHUNKED_WAIT_MS));
    } else {
      this.turn ??= new Promise((resolve) => {
        setImmediate(() => {
          this.turn = undefined;
          resolve();
        });
      });
      await this.turn;
    }
    // The server has no address for a closed connection. Reading `request.signal` takes ten times as long.
    return peers.requestIP(request) !== null;
  }
}

function isBodySent({ headers }: Request): boolean {
  return headers.has('content-length') || headers.has('transfer-encoding');
}

/** Returns whether a non-empty body lacks the end of a JSON object. */
function isCutOff(bytes: Uint8Array): boolean {
  let last = bytes.length - 1;
  while (last >= 0 && bytes[last]! <= SPACE) last--;
  return last >= 0 && bytes[last] !== CLOSING_BRACE;
}
