/** One message of a book's channel, without the fields that identify the topic. */
export interface BookMessage {
  readonly kind: 'snapshot' | 'update';
  readonly body: string;
}

/** The changes of one market's book since its last update, by level or by order. */
export interface BookFeed {
  /** The book's sequence up to which updates have been sent. */
  readonly sequence: number;
  readonly isTooLargeForUpdate: boolean;
  /** Returns the body of the next update, or undefined if the book has not changed. */
  take(): string | undefined;
  /** Advances to the book's sequence without an update. */
  skip(): void;
}

/** Brings one socket to the current state of a book, in messages of bounded size. */
export interface FeedReader {
  /** Whether the socket has the whole book up to the last update, so that it can receive the live updates. */
  readonly isCaughtUp: boolean;
  /** Returns the next message, undefined if caught up. Call `take` or `skip` of the feed first. */
  next(): BookMessage | undefined;
  close(): void;
}
