/**
 * Number of waiting orders at which new ones are rejected. Executing them takes about 30 ms, as do the batch before them
 * and reading requests, so that every accepted order is answered well within 250 ms.
 */
export const MAX_WAITING_ORDERS = 1100;
export const MAX_ARCHIVIST_LAG_MS = 2000;
export const TICK_INTERVAL_MS = 250;
/** Silence after which a log counts as unreachable: about four missed heartbeats of every node. */
export const MAX_SILENCE_MS = 1500;
/** Age from which data must not be shown as current. */
export const MAX_AGE_MS = 2000;
/** After ten seconds a batch in flight is reported as unknown, and commands that were not sent as not applied. */
export const GIVE_UP_AFTER_TICKS = 10_000 / TICK_INTERVAL_MS;
