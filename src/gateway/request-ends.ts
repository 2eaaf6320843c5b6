/**
 * How long a request with a chunked body waits for the bytes after its last chunk. The server reports the body
 * as complete at `0 CRLF`, before the trailers and the final CRLF, which may arrive in another segment.
 */
const CHUNKED_WAIT_MS = 20;

/**
 * Waits for the end of requests before they are carried out. The server hands over a request as soon as its body
 * is complete, and only then parses the bytes that arrived after it. If it cannot parse those, it answers 400 and
 * closes the connection, so a request that was carried out in between would be answered as if it had not been.
 */
export class RequestEnds {
  /** Resolves after the current turn of the event loop; shared by all requests that were read in it. */
  private turn: Promise<void> | undefined;

  /**
   * Resolves once the server has parsed everything that arrived together with a request whose body is read.
   * @returns Whether the connection still takes an answer. If not, the request must not be carried out.
   */
  async reached(request: Request): Promise<boolean> {
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
    return !request.signal.aborted;
  }
}
