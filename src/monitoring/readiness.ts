/** A reason why a node should receive no requests; those that arrive are still served if possible. */
export type UnreadyReason =
  | 'starting'
  | 'replaying'
  | 'lagging'
  | 'log unreachable'
  | 'clock off'
  | 'draining';

/** A condition that an operator should fix although the node is ready. */
export type Note = 'history rebuilding' | 'disk nearly full' | 'disk full';

/** The readiness of this node for requests, with the reasons if it is not ready. Initially it is `starting`. */
export class Readiness {
  private readonly added = new Set<UnreadyReason>(['starting']);
  private readonly checks = new Map<UnreadyReason, () => boolean>();
  private readonly noteChecks = new Map<Note, () => boolean>();

  /** Adds a reason that applies until `clear`. */
  add(reason: UnreadyReason): void {
    this.added.add(reason);
  }

  clear(reason: UnreadyReason): void {
    this.added.delete(reason);
  }

  /** Adds a reason that applies whenever `applies` returns true at the time of the request. */
  check(reason: UnreadyReason, applies: () => boolean): void {
    this.checks.set(reason, applies);
  }

  /** Adds a note that is reported whenever `applies` returns true; the node stays ready. */
  note(note: Note, applies: () => boolean): void {
    this.noteChecks.set(note, applies);
  }

  get notes(): Note[] {
    return [...this.noteChecks].filter(([, applies]) => applies()).map(([note]) => note);
  }

  /** The reasons why the node is not ready; empty if it is. */
  get reasons(): UnreadyReason[] {
    const found = [...this.checks].filter(([, applies]) => applies()).map(([reason]) => reason);
    return [...new Set([...this.added, ...found])];
  }
}
