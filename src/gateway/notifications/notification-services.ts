import type { Services } from '../services.ts';

/** The parts of a node that notifications use. */
export type NotificationServices = Pick<
  Services,
  'replica' | 'archivist' | 'users' | 'clock' | 'now'
>;
