import type { Dict } from 'ccxt';

/** Interval between requests: 40 per second, of 50 that the exchange accepts. */
const PAUSE_MS = 25;

/** A channel, with a market unless it is private. */
export interface Topic {
  readonly channel: string;
  readonly symbol?: string;
  readonly interval?: string;
}

export function topicKey({ channel, symbol, interval }: Topic): string {
  return [channel, symbol, interval].filter((part) => part !== undefined).join(' ');
}

interface StreamRequest {
  readonly message: Dict;
  /** `op` of the response: `snapshot`, `update`, `unsubscribed` or `authenticated`. */
  readonly answers: readonly string[];
  readonly key: string;
}

/**
 * The requests of one connection. Each is sent after the response to the one before, because errors may not name the
 * request that caused them.
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

  /** Adds a request before those that have not been sent. */
  addFirst(request: StreamRequest): void {
    this.waiting.unshift(request);
    this.next();
  }

  /** Whether a message answers the pending request. Some do not name their topic. */
  isAnswer(op: string, key = this.current?.key): boolean {
    return (
      this.current !== undefined && this.current.key === key && this.current.answers.includes(op)
    );
  }

  /** Completes and returns the pending request. */
  end(): StreamRequest | undefined {
    const ended = this.current;
    this.current = undefined;
    this.next();
    return ended;
  }

  /** Drops the requests that have not been sent. */
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
