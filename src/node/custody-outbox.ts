import type { Config } from '../config/config.ts';
import { CustodyOutbox, type OutboxServices } from '../gateway/custody/outbox.ts';

/** Creates the outbox of a node. The key of the exchange is made of a secret in the users' database. */
export async function createOutbox(
  { node, custodianUrl: url }: Config,
  { replica, users, clock, now }: OutboxServices,
): Promise<CustodyOutbox> {
  const seal = await users.loadSeal('custodian');
  return new CustodyOutbox({ replica, users, clock, now }, { node, url, seal });
}
