import { CloseCode } from '../sockets/close-codes.ts';

/** Maximum characters; as much as a live subscriber may leave unread. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** Live messages of a subscription, held back until its backfill has been sent. */
export class ReplayBuffer {
  readonly texts: string[] = [];
  private length = 0;

  /** Buffers a message. Closes the socket if that is too much. */
  add(text: string, socket: { close(code: number, reason: string): void }): void {
    this.texts.push(text);
    this.length += text.length;
    if (this.length > MAX_LENGTH) {
      socket.close(CloseCode.tooSlow, 'too slow: too many messages during the replay');
    }
  }
}
