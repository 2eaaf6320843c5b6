import type { Dict } from 'ccxt';

/** Milliseconds from one request to the next: 40 a second, where the exchange takes 50. */
const PAUSE_MS = 25;

/** What is listened to: a channel, of a market unless it is the account's. */
export interface Topic {
  readonly channel: string;
  readonly symbol?: string;
  readonly interval?: string;
}

export function keyOf({ channel, symbol, interval }: Topic): string {
  return [channel, symbol, interval].filter((part) => part !== undefined).join(' ');
}

interface StreamRequest {
  readonly message: Dict;
  /** The first part of what answers it: `snapshot`, `update`, `unsubscribed`, `authenticated`. */
  readonly answers: readonly string[];
  readonly key: string;
}

/**
 * The requests of one connection, each sent once the one before is answered: an error of the exchange
 * does not say what it is about, so there must be one thing only that it can be about.
 */
export class Requests {
  private waiting: StreamRequest[] = [];
  private current: StreamRequest | undefined;
  private isPausing = true;

  constructor(
    private readonly send: (message: Dict) => void,
    isOpen: Promise<unknown>,
  ) {
    isOpen.then(() => this.resume());
  }

  add(request: StreamRequest): void {
    this.waiting.push(request);
    this.next();
  }

  /** Whether a message answers the request under way. Not every one says what it is about. */
  isAnswer(op: string, key = this.current?.key): boolean {
    return (
      this.current !== undefined && this.current.key === key && this.current.answers.includes(op)
    );
  }

  /** Ends the request under way, and gives it. */
  end(): StreamRequest | undefined {
    const ended = this.current;
    this.current = undefined;
    this.next();
    return ended;
  }

  /** Forgets what was not sent yet. */
  drop(isDropped: (request: StreamRequest) => boolean): void {
    this.waiting = this.waiting.filter((request) => !isDropped(request));
  }

  private resume(): void {
    this.isPausing = false;
    this.next();
  }

  private next(): void {
    if (this.isPausing || this.current !== undefined) return;
    this.current = this.waiting.shift();
    if (this.current === undefined) return;
    this.isPausing = true;
    setTimeout(() => this.resume(), PAUSE_MS);
    this.send(this.current.message);
  }
}
