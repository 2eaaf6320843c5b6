import { createHmac } from 'node:crypto';
import { DAY_MS } from '../../config/durations.ts';
import type { Subscription } from '../../users/notifications/subscriptions.ts';

/** The time for which the previous secret still signs after a new one was created. */
const OVERLAP_MS = DAY_MS;

/**
 * Derives the secrets of webhooks, so that none is stored: from a secret of the exchange, the webhook's id and the number
 * of the secret.
 */
export class WebhookSecrets {
  constructor(private readonly seal: Uint8Array) {}

  /** Returns the current secret. */
  current({ id, secretNumber }: Pick<Subscription, 'id' | 'secretNumber'>): Uint8Array {
    return this.derive(id, secretNumber);
  }

  /** Returns the secrets that sign at a time, the current one first. */
  signing(
    webhook: Pick<Subscription, 'id' | 'secretNumber' | 'secretChangedAt'>,
    now: number,
  ): Uint8Array[] {
    const { id, secretNumber, secretChangedAt } = webhook;
    const isNew = secretNumber > 1 && now - secretChangedAt < OVERLAP_MS;
    const current = this.derive(id, secretNumber);
    return isNew ? [current, this.derive(id, secretNumber - 1)] : [current];
  }

  private derive(id: string, secretNumber: number): Uint8Array {
    return createHmac('sha256', this.seal).update(`webhook\n${id}\n${secretNumber}`).digest();
  }
}
