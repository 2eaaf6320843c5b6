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

/** Whether this node should receive requests, and if not, why. It is unready at first, while it starts. */
export class Readiness {
  private readonly set = new Set<UnreadyReason>(['starting']);
  private readonly checks = new Map<UnreadyReason, () => boolean>();
  private readonly noteChecks = new Map<Note, () => boolean>();

  /** Sets a reason until it is cleared. */
  add(reason: UnreadyReason): void {
    this.set.add(reason);
  }

  clear(reason: UnreadyReason): void {
    this.set.delete(reason);
  }

  /** Adds a reason that applies whenever `isSo` returns true at the time of the request. */
  check(reason: UnreadyReason, isSo: () => boolean): void {
    this.checks.set(reason, isSo);
  }

  /** Adds a note that is reported whenever `isSo` returns true; the node stays ready. */
  note(note: Note, isSo: () => boolean): void {
    this.noteChecks.set(note, isSo);
  }

  get notes(): Note[] {
    return [...this.noteChecks].filter(([, isSo]) => isSo()).map(([note]) => note);
  }

  /** The reasons why the node is not ready; empty if it is. */
  get reasons(): UnreadyReason[] {
    const found = [...this.checks].filter(([, isSo]) => isSo()).map(([reason]) => reason);
    return [...new Set([...this.set, ...found])];
  }
}
