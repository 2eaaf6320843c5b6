import { isInForce } from '../../engine/accounts.ts';
import type { Holder } from '../holder.ts';
import type { Services } from '../services.ts';
import type { Socket } from './streams.ts';

/** How often keys and sessions are looked at that expire by themselves. */
const LOOK_EVERY_MS = 1000;
const ENDED = 4001;

/** Which sockets are whose: those of a key or session that has ended or expired are closed. */
export class Sessions {
  private readonly sockets = new Map<Holder, Set<Socket>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private revocations = 0;

  constructor(private readonly services: Services) {}

  begin(socket: Socket, holder: Holder): void {
    const sockets = this.sockets.get(holder);
    if (sockets === undefined) this.sockets.set(holder, new Set([socket]));
    else sockets.add(socket);
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS);
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

  private look(): void {
    const now = Math.max(this.services.now(), this.services.replica.exchange.state.time);
    for (const [holder, sockets] of this.sockets) {
      if ('session' in holder) {
        if (!this.services.accounts.sessions.isInForce(holder.session)) {
          closeAll(sockets, 'session expired');
        }
      } else if (!isInForce(holder, now)) {
        closeAll(sockets, holder.revokedAt === 0 ? 'key expired' : 'key revoked');
      }
    }
  }
}

function closeAll(sockets: ReadonlySet<Socket>, reason: string): void {
  for (const socket of [...sockets]) socket.close(ENDED, reason);
}
