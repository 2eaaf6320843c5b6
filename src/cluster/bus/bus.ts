/** Handles a message; `from` identifies the sending process and changes with each of its starts. */
export type TakeMessage = (bytes: Uint8Array, from: string) => void;

/** Best-effort messages between nodes: each is broadcast to all others and may be lost. A single node has no bus. */
export interface Bus {
  /** Broadcasts to all other nodes. Never fails: a message that cannot be sent now is dropped. */
  publish(topic: string, bytes: Uint8Array): void;
  /** Receives other nodes' messages from now on; errors of `take` are logged. @param topic Letters, digits and `-`. */
  subscribe(topic: string, take: TakeMessage): void;
  close(): Promise<void>;
}
