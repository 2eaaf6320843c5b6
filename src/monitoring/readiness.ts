/** Why a node should be sent no requests; those that reach it all the same are served as far as they can be. */
export type UnreadyReason =
  | 'starting'
  | 'replaying'
  | 'lagging'
  | 'log unreachable'
  | 'clock off'
  | 'draining';

/** Whether this node should be sent requests, and why not. It begins unready: it starts. */
export class Readiness {
  private readonly set = new Set<UnreadyReason>(['starting']);
  private readonly checks = new Map<UnreadyReason, () => boolean>();

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

  /** None: the node is ready. */
  get reasons(): UnreadyReason[] {
    const found = [...this.checks].filter(([, isSo]) => isSo()).map(([reason]) => reason);
    return [...new Set([...this.set, ...found])];
  }
}
