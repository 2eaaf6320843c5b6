import type { ServerAnswer } from './sync.ts';

/** What an account may hold, as JetStream says it. */
export interface AccountUse {
  /** Bytes, copies included. */
  readonly storage: number;
  /** No limit where it is not above zero. */
  readonly limits: { readonly max_storage: number };
}

/**
 * How many bytes more a stream may hold, by what its servers and its account say: the least of all. What other streams
 * have, or may come to by their limits, is not room.
 * @param servers Those that said how they are set up.
 * @returns Undefined where nobody says.
 */
export function roomOf(
  servers: readonly ServerAnswer[],
  { storage, limits }: AccountUse,
  replicas: number,
): number | undefined {
  const rooms = servers.flatMap(({ data }) => {
    const { max_storage: most = 0 } = data?.jetstream?.config ?? {};
    const { storage: used = 0, reserved_storage: reserved = 0 } = data?.jetstream?.stats ?? {};
    return most > 0 ? [most - Math.max(used, reserved)] : [];
  });
  if (limits.max_storage > 0) rooms.push((limits.max_storage - storage) / replicas);
  return rooms.length === 0 ? undefined : Math.max(0, Math.floor(Math.min(...rooms)));
}

/** What a log is given of the room there is: the rest is for snapshots, behind which it is trimmed. */
export function limitIn(room: number): number {
  return Math.floor((room / 4) * 3);
}
