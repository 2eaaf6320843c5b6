import {
  type ChangeKey,
  CommandKind,
  type CreateHmacKey,
  type CreateKey,
  type CreateSignedKey,
  type ResealKey,
  type RevokeKey,
  type UseSignature,
} from '../../src/engine/command.ts';
import {
  MAX_ENDED_KEYS_PER_ACCOUNT,
  MAX_KEYS_PER_ACCOUNT,
  MAX_REMEMBERED,
  MAX_SIGNATURE_LIFETIME_MS,
} from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { ALL_PERMISSIONS, OPERATOR_PERMISSIONS, Permission } from '../../src/engine/terms.ts';
import { type NaiveAdministrationOutcome, reject } from './naive-administration.ts';
import { isClosed } from './naive-owners.ts';
import type { NaiveKey, NaiveSignature, NaiveState } from './naive-state.ts';

/** API keys and signed requests. */

/** Returns whether the engine accepts a sealed secret. */
function isSealed(state: NaiveState, sealed: Uint8Array): boolean {
  return state.version >= 2 && sealed.length >= 29 && sealed.length <= 256;
}

export function resealKey(
  state: NaiveState,
  { apiKey, sealedSecret }: ResealKey,
): NaiveAdministrationOutcome {
  if (!isSealed(state, sealedSecret)) return reject(RejectionCode.invalidRules);
  const key = present(state).find((each) => each.apiKey === apiKey);
  if (key?.sealedSecret === undefined) return reject(RejectionCode.unknownKey);
  key.sealedSecret = sealedSecret.toHex();
  return { kind: 'key', key };
}

export function createKey(
  state: NaiveState,
  command: CreateKey | CreateSignedKey | CreateHmacKey,
): NaiveAdministrationOutcome {
  const { owner, apiKey, permissions, label, addresses, expiresAt } = command;
  const isSigned = command.kind === CommandKind.createSignedKey;
  if (isSigned && (state.version < 2 || command.publicKey.length !== 32)) {
    return reject(RejectionCode.invalidRules);
  }
  const isHmac = command.kind === CommandKind.createHmacKey;
  if (
    isHmac &&
    (!isSealed(state, command.sealedSecret) || (permissions & OPERATOR_PERMISSIONS) !== 0)
  ) {
    return reject(RejectionCode.invalidRules);
  }
  if (state.accounts[owner] === undefined) return reject(RejectionCode.unknownAccount);
  if (isClosed(state, owner)) return reject(RejectionCode.accountClosed);
  if (present(state).some((each) => each.apiKey === apiKey))
    return reject(RejectionCode.alreadyExists);
  const known = state.version < 2 ? 7 : ALL_PERMISSIONS;
  if (permissions < 1 || permissions > known) return reject(RejectionCode.invalidRules);
  if (exceedsGrant(state, command)) return reject(RejectionCode.insufficientPermissions);
  const withdraws = (permissions & Permission.withdraw) !== 0;
  if (withdraws && addresses.length === 0) return reject(RejectionCode.invalidRules);
  const inForce = present(state).filter(
    (each) =>
      each.owner === owner && (state.version < 2 ? each.revokedAt === 0 : !hasEnded(each, state)),
  );
  if (inForce.length >= MAX_KEYS_PER_ACCOUNT) return reject(RejectionCode.limitReached);
  const key: NaiveKey = {
    index: state.keys.length,
    apiKey,
    owner,
    secretHash: isSigned || isHmac ? '' : command.secretHash.toHex(),
    publicKey: isSigned ? command.publicKey.toHex() : undefined,
    sealedSecret: isHmac ? command.sealedSecret.toHex() : undefined,
    permissions,
    label,
    addresses,
    createdAt: state.time,
    expiresAt,
    revokedAt: 0,
  };
  state.keys.push(key);
  dropEndedKeys(state, owner);
  return { kind: 'key', key };
}

/** Returns whether a key grants another one what it may not: operators have `read`, and give customers `trade`. */
function exceedsGrant(
  { version, keys }: NaiveState,
  {
    account,
    key,
    owner,
    permissions,
  }: Pick<CreateKey, 'account' | 'key' | 'owner' | 'permissions'>,
): boolean {
  if (version < 2 || key === -1) return false;
  const held = keys[key]!.permissions;
  const isAdministrator = (held & Permission.operate) !== 0;
  return Object.values(Permission).some((bit) => {
    const isGranted = (permissions & bit) !== 0;
    const isOperators = (OPERATOR_PERMISSIONS & bit) !== 0 || bit === Permission.read;
    const isForCustomer = bit === Permission.trade && owner !== account;
    const mayGrant = (held & bit) !== 0 || (isAdministrator && (isOperators || isForCustomer));
    return isGranted && !mayGrant;
  });
}

/** Uses a signed request, which can be used once. */
export function useSignature(
  state: NaiveState,
  { account, key, hash, expiresAt }: UseSignature,
): NaiveAdministrationOutcome | { readonly kind: 'done' } {
  const { time } = state;
  const known = state.keys[key];
  const isValid = known?.secretHash === '' && known.owner === account;
  if (!isValid || hasEnded(known, state)) return reject(RejectionCode.unauthorized);
  if (time > expiresAt || expiresAt > time + MAX_SIGNATURE_LIFETIME_MS) {
    return reject(RejectionCode.signatureExpired);
  }
  const own = state.signatures.filter((each) => each.key === key);
  if (own.some((each) => each.hash === hash.toHex())) return reject(RejectionCode.signatureUsed);
  const isOver = ({ usedAt }: NaiveSignature) => usedAt < time - MAX_SIGNATURE_LIFETIME_MS;
  const over = state.signatures.filter(isOver);
  if (own.length >= MAX_REMEMBERED.signatures && over.length === 0) {
    return reject(RejectionCode.limitReached);
  }
  const forgotten = over.slice(0, 4);
  state.signatures = state.signatures.filter((each) => !forgotten.includes(each));
  state.signatures.push({ key, hash: hash.toHex(), usedAt: time });
  return { kind: 'done' };
}

export function changeKey(state: NaiveState, command: ChangeKey): NaiveAdministrationOutcome {
  const { account, key: by, apiKey } = command;
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  const key = present(state).find((each) => each.apiKey === apiKey);
  if (key === undefined) return reject(RejectionCode.unknownKey);
  const { owner, permissions } = key;
  const { label, addresses } = {
    label: command.label ?? key.label,
    addresses: command.addresses ?? key.addresses,
  };
  if (hasEnded(key, state)) return reject(RejectionCode.invalidRules);
  if (exceedsGrant(state, { account, key: by, owner, permissions })) {
    return reject(RejectionCode.insufficientPermissions);
  }
  const withdraws = (permissions & Permission.withdraw) !== 0;
  const isNew = (address: string) => !key.addresses.includes(address);
  if (withdraws && (addresses.length === 0 || addresses.some(isNew))) {
    return reject(RejectionCode.invalidRules);
  }
  const isMoved = addresses.length > 0 && addresses.join() !== key.addresses.join();
  if (isMoved && isNeeded(state, key, [key])) return reject(RejectionCode.invalidRules);
  key.label = label;
  key.addresses = addresses;
  return { kind: 'key', key };
}

export function revokeKey(state: NaiveState, command: RevokeKey): NaiveAdministrationOutcome {
  const key = present(state).find((each) => each.apiKey === command.apiKey);
  if (key === undefined) return reject(RejectionCode.unknownKey);
  if (isNeeded(state, key, [key])) return reject(RejectionCode.invalidRules);
  revoke(state, [key]);
  return { kind: 'key', key };
}

/** Revokes the keys of an account. @returns false, having changed nothing, if the exchange could not be operated without them */
export function revokeAccountKeys(state: NaiveState, owner: number): boolean {
  const keys = present(state).filter((key) => key.owner === owner);
  if (keys.some((key) => isNeeded(state, key, keys))) return false;
  revoke(state, keys);
  return true;
}

function revoke(state: NaiveState, keys: readonly NaiveKey[]): void {
  for (const key of keys) {
    if (key.revokedAt !== 0) continue;
    key.revokedAt = state.time;
    dropEndedKeys(state, key.owner);
  }
}

/**
 * Returns whether no other operator key can be used in the place of one: for as long, and from as many addresses.
 * @param lost Keys that cannot be used either
 */
function isNeeded(state: NaiveState, key: NaiveKey, lost: readonly NaiveKey[]): boolean {
  const operators = present(state).filter(
    (each) => (each.permissions & Permission.operate) !== 0 && !hasEnded(each, state),
  );
  // A key without expiry outlasts all others.
  const end = ({ expiresAt }: NaiveKey) => expiresAt || Number.POSITIVE_INFINITY;
  const others = operators.filter((each) => !lost.includes(each));
  const replacing = others.filter(
    (each) =>
      state.version < 2 ||
      (end(each) >= end(key) && (each.addresses.length === 0 || key.addresses.length > 0)),
  );
  return operators.includes(key) && replacing.length === 0;
}

function present(state: NaiveState): NaiveKey[] {
  return state.keys.filter((key) => key !== undefined);
}

function hasEnded({ revokedAt, expiresAt }: NaiveKey, { time }: NaiveState): boolean {
  return revokedAt !== 0 || (expiresAt !== 0 && time >= expiresAt);
}

/** Drops the ended keys of an account that ended first. */
export function dropEndedKeys(state: NaiveState, owner: number): void {
  if (state.version < 2) return;
  const ended = present(state).filter((key) => key.owner === owner && hasEnded(key, state));
  const end = ({ revokedAt, expiresAt }: NaiveKey) =>
    Math.min(revokedAt || Number.POSITIVE_INFINITY, expiresAt || Number.POSITIVE_INFINITY);
  while (ended.length > MAX_ENDED_KEYS_PER_ACCOUNT) {
    const first = ended.reduce((a, b) => (end(b) < end(a) ? b : a));
    ended.splice(ended.indexOf(first), 1);
    state.keys[first.index] = undefined;
  }
}
