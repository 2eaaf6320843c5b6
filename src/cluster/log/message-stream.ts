/** A message as the servers hold it. */
export interface StoredMessage {
  /** 1 for a stream's first message, then one more each. */
  readonly sequence: number;
  /** When the servers stored it, whole milliseconds since 1970. */
  readonly storedAt: number;
  readonly bytes: Uint8Array;
}

/** A replicated stream of messages that many append to: what a shared log stands on. */
export interface MessageStream {
  readonly maxMessageBytes: number;
  /**
   * Appends a message: resolves with its sequence once the servers have it for good. Where it rejects the message
   * may be there all the same, now or later, once or more often.
   * @param withinMs Rejects if the servers have not answered by then.
   */
  publish(bytes: Uint8Array, withinMs: number): Promise<number>;
  /**
   * Passes on every message behind a sequence, in order, and those that come; goes on from there after an outage, and
   * first passes on the last one once more where the servers hold another there by then.
   * @param onEnd Nothing more will come, though nobody has closed it.
   * @throws LogTrimmedError where what follows on that sequence is not there any more
   */
  follow(
    after: number,
    take: (message: StoredMessage) => void,
    onEnd: (reason: Error) => void,
  ): Promise<Followed>;
  /** Of the last message; rejects where no server says. */
  lastSequence(): Promise<number>;
  /** Whether it was closed on this side, after which nothing succeeds any more. */
  readonly isClosed: boolean;
}

/** Messages that are being passed on. */
export interface Followed {
  /** Asks for the messages after the newest one again, from another server if the present one has stopped sending. */
  renew(): void;
  close(): Promise<void>;
}

/** Time that passes for a log: that of the machine, or a simulator's. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some start: only ever runs. */
  elapsedMs(): number;
  /** Resolves after a while; `stop` lets go of it before. */
  after(delayMs: number): { readonly over: Promise<void>; stop(): void };
}

export const machineClock: Clock = {
  now: Date.now,
  elapsedMs: () => performance.now(),
  after(delayMs) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, delayMs);
    });
    return { over, stop: () => clearTimeout(timer) };
  },
};
