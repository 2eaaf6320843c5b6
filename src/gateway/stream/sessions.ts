import { type ApiKey, isInForce } from '../../engine/accounts.ts';
import type { Services } from '../services.ts';
import type { Socket } from './streams.ts';

/** How often keys are looked at that expire by themselves. */
const LOOK_EVERY_MS = 1000;
const KEY_ENDED = 4001;

/** Which sockets are whose: those of a key that is revoked or has expired are closed. */
export class Sessions {
  private readonly sockets = new Map<ApiKey, Set<Socket>>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private revocations = 0;

  constructor(private readonly services: Services) {}

  begin(socket: Socket, key: ApiKey): void {
    const sockets = this.sockets.get(key);
    if (sockets === undefined) this.sockets.set(key, new Set([socket]));
    else sockets.add(socket);
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  end(socket: Socket, key: ApiKey): void {
    const sockets = this.sockets.get(key);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.sockets.delete(key);
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

  private look(): void {
    const now = Math.max(this.services.now(), this.services.replica.exchange.state.time);
    for (const [key, sockets] of this.sockets) {
      if (isInForce(key, now)) continue;
      const reason = key.revokedAt === 0 ? 'key expired' : 'key revoked';
      for (const socket of [...sockets]) socket.close(KEY_ENDED, reason);
    }
  }
}
