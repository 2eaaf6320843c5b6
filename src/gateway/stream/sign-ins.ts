import { isInForce } from '../../engine/ledger/accounts.ts';
import * as journal from '../../monitoring/logger.ts';
import type { Holder } from '../auth/caller.ts';
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
export class Sessions {
  private readonly sockets = new Map<Holder, Set<Socket>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private revocations = 0;
  private looks = 0;

  constructor(private readonly services: Services) {}

  /** Of whom has ended since they were let in the socket is closed. */
  begin(socket: Socket, holder: Holder): void {
    const sockets = this.sockets.get(holder);
    if (sockets === undefined) this.sockets.set(holder, new Set([socket]));
    else sockets.add(socket);
    this.timer ??= setInterval(() => this.lookAgain(), LOOK_EVERY_MS);
    const end = this.endOf(holder);
    if (end !== undefined) socket.close(ENDED, end);
  }

  end(socket: Socket, holder: Holder): void {
    const sockets = this.sockets.get(holder);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.sockets.delete(holder);
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
    for (const [holder, sockets] of this.sockets) {
      if ('session' in holder && ids.has(holder.session.id)) closeAll(sockets, 'session ended');
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
    for (const holder of this.sockets.keys()) if ('session' in holder) ids.add(holder.session.id);
    if (ids.size === 0) return;
    try {
      this.noteEnded(await this.services.accounts.sessions.overOf([...ids]));
    } catch (error) {
      journal.warn(`Streams of sessions are closed: ${(error as Error).message}`);
      for (const [holder, sockets] of this.sockets) {
        if ('session' in holder) closeAll(sockets, 'try again later', TRY_AGAIN);
      }
    }
  }

  private look(): void {
    for (const [holder, sockets] of this.sockets) {
      const end = this.endOf(holder);
      if (end !== undefined) closeAll(sockets, end);
    }
  }

  /** How a key or session has ended, where it has. */
  private endOf(holder: Holder): string | undefined {
    if ('session' in holder) {
      const isInForceStill = this.services.accounts.sessions.isInForce(holder.session);
      return isInForceStill ? undefined : 'session expired';
    }
    const now = Math.max(this.services.now(), this.services.replica.exchange.state.time);
    if (isInForce(holder, now)) return undefined;
    return holder.revokedAt === 0 ? 'key expired' : 'key revoked';
  }
}

function closeAll(sockets: ReadonlySet<Socket>, reason: string, code = ENDED): void {
  for (const socket of [...sockets]) socket.close(code, reason);
}
