/** A message as the servers store it. */
export interface StoredMessage {
  /** 1 for a stream's first message, then one more each. */
  readonly sequence: number;
  /** When the servers stored it, whole milliseconds since 1970. */
  readonly storedAt: number;
  readonly bytes: Uint8Array;
}

/** A replicated stream of messages with many publishers, on which a clustered log is built. */
export interface MessageStream {
  readonly maxMessageBytes: number;
  /**
   * Appends a message and resolves with its sequence once it is durable. After a rejection the message may be stored
   * all the same, now or later, once or several times.
   * @param withinMs Rejects if the servers have not answered by then.
   */
  publish(bytes: Uint8Array, withinMs: number): Promise<number>;
  /**
   * Delivers every message after a sequence, in order, and then new ones. Continues after outages. If the servers
   * hold another message than the last one delivered by then, that message is delivered first.
   * @param onEnd Called if no more messages can come although the subscription was not closed.
   * @throws LogTrimmedError if the message after that sequence was trimmed
   */
  follow(
    after: number,
    take: (message: StoredMessage) => void,
    onEnd: (reason: Error) => void,
  ): Promise<StreamSubscription>;
  /** Returns the sequence of the last message; rejects if no server answers. */
  lastSequence(): Promise<number>;
  /** Whether the connection was closed on this side, after which every call fails. */
  readonly isClosed: boolean;
}

/** A running delivery of messages. */
export interface StreamSubscription {
  /** Requests the messages after the newest one again, in case the present server has stopped sending. */
  renew(): void;
  close(): Promise<void>;
}

/** Time for a log: that of the machine, or a simulator's. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds since an arbitrary start. */
  elapsedMs(): number;
  /** Resolves after a delay; `stop` cancels it. */
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
