import * as logger from '../../../monitoring/logger.ts';
import type { Caller } from '../../auth/caller.ts';
import type { OperationAuthorization } from '../../auth/operation-authorization.ts';
import type { Services } from '../../services.ts';
import { CloseCode } from './close-codes.ts';
import type { Socket } from './socket.ts';

/** Interval of the checks of keys and sessions for expiry. */
const CHECK_EVERY_MS = 1000;
/** The shared database of a cluster is queried for ended sessions at every nth check. */
const CHECKS_PER_QUERY = 4;

/**
 * Sockets by the key or session that they authenticated with. Closes them when it ends or expires, or when their
 * addresses may not use the key any more.
 */
export class CredentialSockets {
  private readonly sockets = new Map<Caller, Set<Socket>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The engine's count of restricted keys at the last check. */
  private keyRestrictions = 0;
  private checks = 0;

  /** @param leave Ends the private subscriptions of a socket. */
  constructor(
    private readonly services: Services,
    private readonly authorization: Pick<OperationAuthorization, 'checkKey'>,
    private readonly leave: (socket: Socket) => void,
  ) {}

  /** Adds a socket, and closes it if its credential has ended during the authentication. */
  add(socket: Socket, caller: Caller): void {
    const sockets = this.sockets.get(caller);
    if (sockets === undefined) this.sockets.set(caller, new Set([socket]));
    else sockets.add(socket);
    this.timer ??= setInterval(() => this.onTimer(), CHECK_EVERY_MS);
    const reason = this.endReason(caller, socket);
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

  /** Closes the sockets of keys that a command has revoked or restricted. Costs next to nothing if there are none. */
  noteRestrictions(): void {
    const { keyRestrictions } = this.services.replica.exchange.state;
    if (keyRestrictions === this.keyRestrictions) return;
    this.keyRestrictions = keyRestrictions;
    this.check();
  }

  /** Closes the sockets of sessions that have ended. */
  noteEnded(ids: ReadonlySet<string>): void {
    for (const [caller, sockets] of this.sockets) {
      if ('session' in caller && ids.has(caller.session.id))
        for (const socket of sockets) this.close(socket, 'session ended');
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
        if (!('session' in caller)) continue;
        for (const socket of sockets)
          this.close(socket, 'try again later', CloseCode.tryAgainLater);
      }
    }
  }

  private check(): void {
    for (const [caller, sockets] of this.sockets) {
      for (const socket of sockets) {
        const reason = this.endReason(caller, socket);
        if (reason !== undefined) this.close(socket, reason);
      }
    }
  }

  /** Ends the private subscriptions of a socket at once, and its connection after the responses that are due now. */
  private close(socket: Socket, reason: string, code: number = CloseCode.credentialEnded): void {
    this.leave(socket);
    setImmediate(() => socket.close(code, reason));
  }

  /** Returns how a key or session has ended, or undefined if the socket may use it. */
  private endReason(caller: Caller, { data }: Socket): string | undefined {
    if ('session' in caller) {
      const isValid = this.services.users.sessions.isInForce(caller.session);
      return isValid ? undefined : 'session expired';
    }
    const error = this.authorization.checkKey(caller, data.from.address);
    if (error === undefined) return undefined;
    if (error.code === 'IP_NOT_ALLOWED') return 'address not allowed';
    return caller.revokedAt === 0 ? 'key expired' : 'key revoked';
  }
}
