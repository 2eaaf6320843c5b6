import { isInForce } from '../../../engine/ledger/accounts.ts';
import * as logger from '../../../monitoring/logger.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Services } from '../../services.ts';
import { CloseCode } from './close-codes.ts';
import type { Socket } from './socket.ts';

/** Interval of the checks of keys and sessions for expiry. */
const CHECK_EVERY_MS = 1000;
/** The shared database of a cluster is queried for ended sessions at every nth check. */
const CHECKS_PER_QUERY = 4;

/** Sockets by the key or session that they authenticated with. Closes them when it ends or expires. */
export class CredentialSockets {
  private readonly sockets = new Map<Caller, Set<Socket>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The engine's count of restricted keys at the last check. */
  private keyRestrictions = 0;
  private checks = 0;

  /** @param leave Ends the private subscriptions of a socket. */
  constructor(
    private readonly services: Services,
    private readonly leave: (socket: Socket) => void,
  ) {}

  /** Adds a socket, and closes it if its credential has ended during the authentication. */
  add(socket: Socket, caller: Caller): void {
    const sockets = this.sockets.get(caller);
    if (sockets === undefined) this.sockets.set(caller, new Set([socket]));
    else sockets.add(socket);
    this.timer ??= setInterval(() => this.onTimer(), CHECK_EVERY_MS);
    const reason = this.endReason(caller);
    if (reason !== undefined) socket.close(CloseCode.credentialEnded, reason);
  }

  remove(socket: Socket, caller: Caller): void {
    const sockets = this.sockets.get(caller);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.sockets.delete(caller);
    if (this.sockets.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Closes the sockets of keys that a command has revoked. Costs next to nothing if none was revoked. */
  noteRevocations(): void {
    const { keyRestrictions } = this.services.replica.exchange.state;
    if (keyRestrictions === this.keyRestrictions) return;
    this.keyRestrictions = keyRestrictions;
    this.check();
  }

  /** Closes the sockets of sessions that have ended. */
  noteEnded(ids: ReadonlySet<string>): void {
    for (const [caller, sockets] of this.sockets) {
      if ('session' in caller && ids.has(caller.session.id))
        this.closeAll(sockets, 'session ended');
    }
  }

  private onTimer(): void {
    this.check();
    this.checks++;
    if (this.checks % CHECKS_PER_QUERY === 0) void this.checkDatabase();
  }

  /**
   * Closes the sockets of sessions that another node has ended without this node being notified. Closes
   * those of all sessions if the database does not respond.
   */
  private async checkDatabase(): Promise<void> {
    const ids = new Set<string>();
    for (const caller of this.sockets.keys()) if ('session' in caller) ids.add(caller.session.id);
    if (ids.size === 0) return;
    try {
      this.noteEnded(await this.services.users.sessions.findEnded([...ids]));
    } catch (error) {
      const reason = (error as Error).message;
      logger.warn(`Closing the streams of all sessions, which cannot be verified: ${reason}`);
      for (const [caller, sockets] of this.sockets) {
        if ('session' in caller) this.closeAll(sockets, 'try again later', CloseCode.tryAgainLater);
      }
    }
  }

  private check(): void {
    for (const [caller, sockets] of this.sockets) {
      const reason = this.endReason(caller);
      if (reason !== undefined) this.closeAll(sockets, reason);
    }
  }

  /** Ends private subscriptions at once, and the connections after the responses that are due now. */
  private closeAll(
    sockets: ReadonlySet<Socket>,
    reason: string,
    code: number = CloseCode.credentialEnded,
  ): void {
    for (const socket of sockets) {
      this.leave(socket);
      setImmediate(() => socket.close(code, reason));
    }
  }

  /** Returns how a key or session has ended, or undefined if it is in force. */
  private endReason(caller: Caller): string | undefined {
    if ('session' in caller) {
      const isValid = this.services.users.sessions.isInForce(caller.session);
      return isValid ? undefined : 'session expired';
    }
    const now = Math.max(this.services.now(), this.services.replica.exchange.state.time);
    if (isInForce(caller, now)) return undefined;
    return caller.revokedAt === 0 ? 'key expired' : 'key revoked';
  }
}
