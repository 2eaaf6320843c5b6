import { z } from 'zod';

/** The database of history and users. */
export type Database =
  /** Files in the data directory. */
  | { readonly kind: 'sqlite' }
  /** A URL with user, password and parameters, in the driver's format. */
  | { readonly kind: 'postgres'; readonly url: string };

export const databaseSchema = z
  .string()
  .transform((given, context): Database => {
    if (given === 'sqlite') return { kind: 'sqlite' };
    const url = URL.parse(given);
    const isPostgres = url !== null && /^postgres(ql)?:$/.test(url.protocol);
    if (isPostgres && url.hostname !== '' && url.pathname.length > 1) {
      return { kind: 'postgres', url: given };
    }
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe('sqlite, or a URL such as postgres://user:password@host:5432/name');
