import { isInForce } from '../../engine/ledger/accounts.ts';
import * as logger from '../../monitoring/logger.ts';
import type { Caller } from '../auth/caller.ts';
import type { Services } from '../services.ts';
import type { Socket } from './streams.ts';

/** How often keys and sessions are looked at that expire by themselves. */
const LOOK_EVERY_MS = 1000;
/** Every how many looks a database that nodes share is asked whether sessions are over. */
const LOOKS_BETWEEN_QUESTIONS = 4;
const ENDED = 4001;
/** As of a node that goes away: who comes again is told more. */
const TRY_AGAIN = 1013;

/** Which sockets are whose: those of a key or session that has ended or expired are closed. */
export class CredentialSockets {
  private readonly sockets = new Map<Caller, Set<Socket>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private revocations = 0;
  private looks = 0;

  constructor(private readonly services: Services) {}

  /** Of whom has ended since they were let in the socket is closed. */
  begin(socket: Socket, caller: Caller): void {
    const sockets = this.sockets.get(caller);
    if (sockets === undefined) this.sockets.set(caller, new Set([socket]));
    else sockets.add(socket);
    this.timer ??= setInterval(() => this.lookAgain(), LOOK_EVERY_MS);
    const end = this.endOf(caller);
    if (end !== undefined) socket.close(ENDED, end);
  }

  end(socket: Socket, caller: Caller): void {
    const sockets = this.sockets.get(caller);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.sockets.delete(caller);
    if (this.sockets.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Closes at once what a revocation has ended; next to no cost where there was none. */
  noteRevocations(): void {
    const { revocations } = this.services.replica.exchange.state;
    if (revocations === this.revocations) return;
    this.revocations = revocations;
    this.look();
  }

  /** Closes at once what the end of sessions has ended. */
  noteEnded(ids: ReadonlySet<string>): void {
    for (const [caller, sockets] of this.sockets) {
      if ('session' in caller && ids.has(caller.session.id)) closeAll(sockets, 'session ended');
    }
  }

  private lookAgain(): void {
    this.look();
    this.looks++;
    if (this.looks % LOOKS_BETWEEN_QUESTIONS === 0) void this.ask();
  }

  /** What another node has ended, and did not get across, is closed here; so is what nobody can vouch for. */
  private async ask(): Promise<void> {
    const ids = new Set<string>();
    for (const caller of this.sockets.keys()) if ('session' in caller) ids.add(caller.session.id);
    if (ids.size === 0) return;
    try {
      this.noteEnded(await this.services.accounts.sessions.overOf([...ids]));
    } catch (error) {
      logger.warn(`Streams of sessions are closed: ${(error as Error).message}`);
      for (const [caller, sockets] of this.sockets) {
        if ('session' in caller) closeAll(sockets, 'try again later', TRY_AGAIN);
      }
    }
  }

  private look(): void {
    for (const [caller, sockets] of this.sockets) {
      const end = this.endOf(caller);
      if (end !== undefined) closeAll(sockets, end);
    }
  }

  /** How a key or session has ended, where it has. */
  private endOf(caller: Caller): string | undefined {
    if ('session' in caller) {
      const isInForceStill = this.services.accounts.sessions.isInForce(caller.session);
      return isInForceStill ? undefined : 'session expired';
    }
    const now = Math.max(this.services.now(), this.services.replica.exchange.state.time);
    if (isInForce(caller, now)) return undefined;
    return caller.revokedAt === 0 ? 'key expired' : 'key revoked';
  }
}

function closeAll(sockets: ReadonlySet<Socket>, reason: string, code = ENDED): void {
  for (const socket of [...sockets]) socket.close(code, reason);
}
