/** Why a node should be sent no requests; those that reach it all the same are served as far as they can be. */
export type UnreadyReason =
  | 'starting'
  | 'replaying'
  | 'lagging'
  | 'log unreachable'
  | 'clock off'
  | 'draining';

/** What an operator should see to while the node is sent requests as ever. */
export type Note = 'history rebuilding' | 'disk nearly full' | 'disk full';

/** Whether this node should be sent requests, and why not. It begins unready: it starts. */
export class Readiness {
  private readonly set = new Set<UnreadyReason>(['starting']);
  private readonly checks = new Map<UnreadyReason, () => boolean>();
  private readonly noteChecks = new Map<Note, () => boolean>();

  /** Holds from now on, until it is cleared. */
  add(reason: UnreadyReason): void {
    this.set.add(reason);
  }

  clear(reason: UnreadyReason): void {
    this.set.delete(reason);
  }

  /** Holds whenever `isSo` says so at the moment that somebody asks. */
  check(reason: UnreadyReason, isSo: () => boolean): void {
    this.checks.set(reason, isSo);
  }

  /** Is reported whenever `isSo` holds; the node stays ready. */
  note(note: Note, isSo: () => boolean): void {
    this.noteChecks.set(note, isSo);
  }

  get notes(): Note[] {
    return [...this.noteChecks].filter(([, isSo]) => isSo()).map(([note]) => note);
  }

  /** None: the node is ready. */
  get reasons(): UnreadyReason[] {
    const found = [...this.checks].filter(([, isSo]) => isSo()).map(([reason]) => reason);
    return [...new Set([...this.set, ...found])];
  }
}
