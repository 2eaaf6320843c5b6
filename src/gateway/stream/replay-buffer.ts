import { TOO_SLOW } from './readers.ts';
import type { Socket } from './streams.ts';

/** As much as may be unread by who is told all of it. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** What is said of a subscription's channel while it is still told what came before. */
export class ReplayBuffer {
  readonly texts: string[] = [];
  private length = 0;

  add(text: string, socket: Socket): void {
    this.texts.push(text);
    this.length += text.length;
    if (this.length > MAX_LENGTH) socket.close(TOO_SLOW, 'too slow: more was said than is kept');
  }
}
