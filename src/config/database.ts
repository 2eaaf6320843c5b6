import { z } from 'zod';

/** Where history and people are kept. */
export type Database =
  /** In files of the data directory. */
  | { readonly kind: 'sqlite' }
  /** With user, password and parameters, as the driver takes it. */
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
  .describe('sqlite, or like postgres://user:password@host:5432/name');
