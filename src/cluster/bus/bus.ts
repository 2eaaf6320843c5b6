/** Takes a message; `from` names the process that sent it, another after each of its starts. */
export type TakeMessage = (bytes: Uint8Array, from: string) => void;

/**
 * Messages between nodes: to all others at once, to none of them surely. What must not be lost is not
 * left to it. A single process has none.
 */
export interface Bus {
  /** Tells all other nodes. Never fails: what cannot be sent now is dropped. */
  publish(topic: string, bytes: Uint8Array): void;
  /** Hears what others tell, from now on; what `take` throws is put into the journal. @param topic Letters, digits and `-`. */
  subscribe(topic: string, take: TakeMessage): void;
  close(): Promise<void>;
}
