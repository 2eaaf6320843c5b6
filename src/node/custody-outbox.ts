import type { Config } from '../config/config.ts';
import type { SealingKey } from '../config/seal-keys.ts';
import { SealedSecrets, sealingKeyId } from '../gateway/auth/sealed-secrets.ts';
import { CustodyOutbox, type OutboxServices } from '../gateway/custody/outbox.ts';
import { SealLostError } from '../users/errors.ts';
import type { SealCipher, Users } from '../users/users.ts';
import { WrongDataError } from './check-kind.ts';

/** The beginning of the names of the secrets that the signing keys are made of. */
const NAME = 'custodian';
const NUMBERED = /^custodian (\d+)$/;

/**
 * Creates the outbox of a node. The keys of the exchange are made of secrets in the users' database, which are encrypted if
 * there are sealing keys. The next key exists in advance, so that the custodian can accept both while nodes restart.
 * @throws WrongDataError if a secret cannot be decrypted
 */
export async function createOutbox(
  { node, custodianUrl: url, signingKey: keyNumber, sealKeys }: Config,
  { replica, users, clock, now }: OutboxServices,
): Promise<CustodyOutbox> {
  const cipher = createCipher(sealKeys);
  const seal = await loadSecret(users, keyNumber, cipher);
  const nextSeal = await loadSecret(users, keyNumber + 1, cipher);
  await removeFormer(users, keyNumber);
  const services = { replica, users, clock, now };
  return new CustodyOutbox(services, { node, url, keyNumber, seal, nextSeal });
}

const sealName = (keyNumber: number) => (keyNumber === 1 ? NAME : `${NAME} ${keyNumber}`);

async function loadSecret(
  users: Users,
  keyNumber: number,
  cipher: SealCipher | undefined,
): Promise<Uint8Array> {
  try {
    return await users.seals.load(sealName(keyNumber), cipher);
  } catch (error) {
    if (!(error instanceof SealLostError)) throw error;
    throw new WrongDataError(
      `The key ${keyNumber} with which the exchange signs instructions to the custodian is encrypted under a sealing key ` +
        'that BUTTONWOOD_SEAL_KEYS does not have. Add that key at the end of BUTTONWOOD_SEAL_KEYS, from its backup. If it is ' +
        `lost, set BUTTONWOOD_SIGNING_KEY=${keyNumber + 2}, and give the custodian the new key of the exchange.`,
    );
  }
}

/** Deletes the secrets before the previous one, which a node that has not restarted yet may still load. */
async function removeFormer(users: Users, keyNumber: number): Promise<void> {
  for (const name of await users.seals.list()) {
    const number = name === NAME ? 1 : Number(NUMBERED.exec(name)?.[1]);
    if (number < keyNumber - 1) await users.seals.remove(name);
  }
}

/** Returns what encrypts secrets, with the sealing keys that also encrypt those of HMAC keys; undefined without any. */
function createCipher(sealKeys: readonly SealingKey[]): SealCipher | undefined {
  if (sealKeys.length === 0) return undefined;
  const secrets = new SealedSecrets(sealKeys);
  // No API key has a name with a space.
  const toKey = (name: string, sealedSecret: Uint8Array) => ({
    ...{ apiKey: `exchange ${name}`, account: { id: '' }, sealedSecret },
  });
  return {
    seal: (name, secret) => secrets.seal(`exchange ${name}`, '', secret),
    open: (name, sealed) => secrets.open(toKey(name, sealed)),
    isCurrent: (sealed) => sealingKeyId(sealed) === sealKeys[0]!.id,
  };
}
