import type { ServerAnswer } from './sync.ts';

/** An account's storage, as JetStream reports it. */
export interface AccountUse {
  /** Bytes used, replicas included. */
  readonly storage: number;
  /** Maximum bytes; zero and below mean no limit. */
  readonly limits: { readonly max_storage: number };
}

/**
 * Returns the bytes by which a stream may grow: the minimum over its servers and its account. Bytes that other streams
 * use or have reserved are not available.
 * @param servers The servers that reported their configuration.
 * @returns undefined if no server reported it and the account has no limit
 */
export function remainingBytes(
  servers: readonly ServerAnswer[],
  { storage, limits }: AccountUse,
  replicas: number,
): number | undefined {
  const remaining = servers.flatMap(({ data }) => {
    const { max_storage: max = 0 } = data?.jetstream?.config ?? {};
    const { storage: used = 0, reserved_storage: reserved = 0 } = data?.jetstream?.stats ?? {};
    return max > 0 ? [max - Math.max(used, reserved)] : [];
  });
  if (limits.max_storage > 0) remaining.push((limits.max_storage - storage) / replicas);
  return remaining.length === 0 ? undefined : Math.max(0, Math.floor(Math.min(...remaining)));
}

/** Returns the log's share of the remaining bytes. The rest is for snapshots, up to which the log is trimmed. */
export function logLimit(bytes: number): number {
  return Math.floor((bytes / 4) * 3);
}
