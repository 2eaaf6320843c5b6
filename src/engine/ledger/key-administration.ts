import type {
  ChangeKey,
  CreateHmacKey,
  CreateKey,
  CreateSignedKey,
  ResealKey,
  RevokeKey,
} from '../command.ts';
import type { Outcome } from '../event.ts';
import {
  MAX_ENDED_KEYS_PER_ACCOUNT,
  MAX_KEYS_PER_ACCOUNT,
  SEALED_SECRET_BYTES,
} from '../limits.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import {
  ALL_PERMISSIONS,
  grantablePermissions,
  NONE,
  OPERATOR_PERMISSIONS,
  PERMISSIONS_OF_VERSION_1,
  Permission,
} from '../terms.ts';
import { type Account, type ApiKey, hashKey, isInForce, isSameAllowlist } from './accounts.ts';

type NewKeyCommand = CreateKey | CreateSignedKey | CreateHmacKey;

const PUBLIC_KEY_BYTES = 32;
const NO_SECRET = new Uint8Array(0);
const WITHDRAWS_FROM_ANYWHERE = 'a key that may withdraw needs addresses from which it is used';
const MOVES_WITHDRAWALS =
  'a key that may withdraw gets no further addresses: create another key for them';
const LAST_OPERATOR =
  'it is the last operator key, or no other that lasts as long works from any address: create another first';

/** Operator commands for API keys. */
export class KeyAdministration {
  constructor(private readonly state: State) {}

  createKey(command: CreateKey): Outcome {
    return this.addNewKey(command, { secretHash: command.secretHash });
  }

  /** Creates a key that signs its requests with Ed25519; only from version 2 on. */
  createSignedKey(command: CreateSignedKey): Outcome {
    const { publicKey } = command;
    if (this.state.version < 2 || publicKey.length !== PUBLIC_KEY_BYTES) {
      return rejected(RejectionCode.invalidRules, 'a public key has 32 bytes');
    }
    return this.addNewKey(command, { secretHash: NO_SECRET, publicKey });
  }

  /**
   * Creates a key that signs its requests with HMAC-SHA256; only from version 2 on. No operator endpoint accepts such
   * a key, so that it may not operate: it would count as an operator's key without being of use as one.
   */
  createHmacKey(command: CreateHmacKey): Outcome {
    const { sealedSecret, permissions } = command;
    const rejection = this.checkSealed(sealedSecret);
    if (rejection !== undefined) return rejection;
    if ((permissions & OPERATOR_PERMISSIONS) !== 0) {
      return rejected(RejectionCode.invalidRules, 'an HMAC key cannot operate');
    }
    return this.addNewKey(command, { secretHash: NO_SECRET, sealedSecret });
  }

  /** Replaces the sealed secret of an HMAC key, in force or not. */
  resealKey({ apiKey, sealedSecret }: ResealKey): Outcome {
    const { state } = this;
    const rejection = this.checkSealed(sealedSecret);
    if (rejection !== undefined) return rejection;
    const key = state.keysByApiKey.get(apiKey);
    if (key?.sealedSecret === undefined) return rejected(RejectionCode.unknownKey);
    state.exclude(hashKey(key));
    key.sealedSecret = sealedSecret;
    state.include(hashKey(key));
    return { kind: 'key', key };
  }

  private checkSealed({ length }: Uint8Array): Rejection | undefined {
    const { min, max } = SEALED_SECRET_BYTES;
    if (this.state.version >= 2 && length >= min && length <= max) return undefined;
    return rejected(RejectionCode.invalidRules, `a sealed secret has ${min} to ${max} bytes`);
  }

  private addNewKey(
    command: NewKeyCommand,
    credential: Pick<ApiKey, 'secretHash' | 'publicKey' | 'sealedSecret'>,
  ): Outcome {
    const { state } = this;
    const account = state.accounts[command.owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    if (account.isClosed) return rejected(RejectionCode.accountClosed);
    if (state.keysByApiKey.has(command.apiKey)) return rejected(RejectionCode.alreadyExists);
    const known = state.version < 2 ? PERMISSIONS_OF_VERSION_1 : ALL_PERMISSIONS;
    if (command.permissions < 1 || command.permissions > known) {
      return rejected(RejectionCode.invalidRules, 'a key needs at least one permission');
    }
    if (this.exceedsGrant(command)) return rejected(RejectionCode.insufficientPermissions);
    if (withdrawsFromAnywhere(command.permissions, command.addresses)) {
      return rejected(RejectionCode.invalidRules, WITHDRAWS_FROM_ANYWHERE);
    }
    if (this.countedKeys(account) >= MAX_KEYS_PER_ACCOUNT)
      return rejected(RejectionCode.limitReached, 'keys');
    const key: ApiKey = {
      index: state.keys.length,
      apiKey: command.apiKey,
      account,
      ...credential,
      permissions: command.permissions,
      label: command.label,
      addresses: command.addresses,
      createdAt: state.time,
      expiresAt: command.expiresAt,
      revokedAt: 0,
    };
    this.addKey(key);
    this.dropEndedKeys(account);
    return { kind: 'key', key };
  }

  /** Returns whether the key that sent the command would grant more than it may (engine version 2). */
  private exceedsGrant({
    account,
    key,
    owner,
    permissions,
  }: Pick<NewKeyCommand, 'account' | 'key' | 'owner' | 'permissions'>): boolean {
    if (key === NONE || this.state.version < 2) return false;
    const granting = this.state.keys[key]!;
    const grantable = grantablePermissions(granting.permissions, owner === account);
    return (permissions & ~grantable) !== 0;
  }

  /** Changes label and IP allowlist of a key that is in force; only from version 2 on. */
  changeKey(command: ChangeKey): Outcome {
    const { state } = this;
    if (state.version < 2) {
      return rejected(RejectionCode.invalidRules, 'the engine has not been upgraded to version 2');
    }
    const key = state.keysByApiKey.get(command.apiKey);
    if (key === undefined) return rejected(RejectionCode.unknownKey);
    const { label, addresses } = withKept(command, key);
    const rejection = this.checkChange(command, key, addresses);
    if (rejection !== undefined) return rejection;
    if (!isSameAllowlist(key.addresses, addresses)) state.keyRestrictions++;
    state.exclude(hashKey(key));
    key.label = label;
    key.addresses = addresses;
    state.include(hashKey(key));
    return { kind: 'key', key };
  }

  /** @param addresses Those that the key would have */
  private checkChange(
    { account, key: by }: ChangeKey,
    key: ApiKey,
    addresses: readonly string[],
  ): Rejection | undefined {
    const { permissions } = key;
    if (!isInForce(key, this.state.time)) {
      return rejected(RejectionCode.invalidRules, 'a key that has ended cannot be changed');
    }
    // A wider allowlist lets more clients use the permissions, like another key with them.
    const grant = { account, key: by, owner: key.account.index, permissions };
    if (this.exceedsGrant(grant)) return rejected(RejectionCode.insufficientPermissions);
    if (withdrawsFromAnywhere(permissions, addresses)) {
      return rejected(RejectionCode.invalidRules, WITHDRAWS_FROM_ANYWHERE);
    }
    // Withdrawals with a new key are delayed; a move of an old one to another client would not be.
    const isMoved = addresses.some((address) => !key.addresses.includes(address));
    if (isMoved && (permissions & Permission.withdraw) !== 0) {
      return rejected(RejectionCode.invalidRules, MOVES_WITHDRAWALS);
    }
    // Wrong addresses make a key as useless as its revocation.
    const isRestricted = addresses.length > 0 && !isSameAllowlist(key.addresses, addresses);
    return isRestricted && this.isLastOperator(key)
      ? rejected(RejectionCode.invalidRules, LAST_OPERATOR)
      : undefined;
  }

  /** Revokes a key permanently; repeating it changes nothing. */
  revokeKey(command: RevokeKey): Outcome {
    const key = this.state.keysByApiKey.get(command.apiKey);
    if (key === undefined) return rejected(RejectionCode.unknownKey);
    if (this.isLastOperator(key)) return rejected(RejectionCode.invalidRules, LAST_OPERATOR);
    if (key.revokedAt === 0) {
      this.revoke(key);
      this.dropEndedKeys(key.account);
    }
    return { kind: 'key', key };
  }

  /** Revokes all keys of an account, unless no key of another account could then operate the exchange. */
  revokeAccountKeys(account: Account): Rejection | undefined {
    const isOther = (key: ApiKey) => key.account !== account;
    if (account.keys.some((key) => this.isLastOperator(key, isOther))) {
      return rejected(RejectionCode.invalidRules, LAST_OPERATOR);
    }
    for (const key of account.keys) if (key.revokedAt === 0) this.revoke(key);
    this.dropEndedKeys(account);
    return undefined;
  }

  private revoke(key: ApiKey): void {
    const { state } = this;
    state.exclude(hashKey(key));
    key.revokedAt = state.time;
    state.keyRestrictions++;
    state.include(hashKey(key));
  }

  /**
   * Returns the number of keys that count towards `MAX_KEYS_PER_ACCOUNT`: in version 1, expired
   * ones too.
   */
  private countedKeys({ keys }: Account): number {
    const { version, time } = this.state;
    const counts = (key: ApiKey) => (version >= 2 ? isInForce(key, time) : key.revokedAt === 0);
    return keys.filter(counts).length;
  }

  /** Drops the keys of an account that ended first, beyond `MAX_ENDED_KEYS_PER_ACCOUNT`. */
  dropEndedKeys(account: Account): void {
    const { state } = this;
    if (state.version < 2 || account.keys.length <= MAX_ENDED_KEYS_PER_ACCOUNT) return;
    const ended = account.keys.filter((key) => !isInForce(key, state.time));
    ended.sort((a, b) => validUntil(a) - validUntil(b) || a.index - b.index);
    const dropped = new Set(ended.slice(0, -MAX_ENDED_KEYS_PER_ACCOUNT));
    if (dropped.size === 0) return;
    for (const key of dropped) {
      state.exclude(hashKey(key));
      state.keys[key.index] = undefined;
      state.keysByApiKey.delete(key.apiKey);
    }
    const kept = account.keys.filter((key) => !dropped.has(key));
    account.keys.splice(0, account.keys.length, ...kept);
  }

  /**
   * Returns whether the loss of the key would leave no one to operate the exchange: no other operator key is in force
   * or, from version 2 on, none is valid as long and usable from any address (unless this key is restricted too).
   * @param remains Returns whether another key stays as it is
   */
  private isLastOperator(key: ApiKey, remains: (other: ApiKey) => boolean = () => true): boolean {
    const { keys, time, version } = this.state;
    const operates = (other: ApiKey) =>
      (other.permissions & Permission.operate) !== 0 && isInForce(other, time);
    const lasts = (other: ApiKey) => version < 2 || validUntil(other) >= validUntil(key);
    const worksAnywhere = (other: ApiKey) =>
      version < 2 || other.addresses.length === 0 || key.addresses.length > 0;
    const replaces = (other: ApiKey | undefined) =>
      other !== undefined &&
      other !== key &&
      remains(other) &&
      operates(other) &&
      lasts(other) &&
      worksAnywhere(other);
    return operates(key) && !keys.some(replaces);
  }

  /** Adds a key, from a command or a snapshot. */
  addKey(key: ApiKey): void {
    this.state.keys[key.index] = key;
    this.state.keysByApiKey.set(key.apiKey, key);
    key.account.keys.push(key);
    this.state.include(hashKey(key));
  }
}

/** Returns the terms that a key has after a change. */
function withKept({ label, addresses }: ChangeKey, key: ApiKey) {
  return { label: label ?? key.label, addresses: addresses ?? key.addresses };
}

function withdrawsFromAnywhere(permissions: number, addresses: readonly string[]): boolean {
  return (permissions & Permission.withdraw) !== 0 && addresses.length === 0;
}

/**
 * Returns the time at which a key ends or ended, in milliseconds since 1970; Infinity for never.
 */
function validUntil({ revokedAt, expiresAt }: ApiKey): number {
  const expires = expiresAt === 0 ? Number.POSITIVE_INFINITY : expiresAt;
  return revokedAt === 0 ? expires : Math.min(revokedAt, expires);
}
