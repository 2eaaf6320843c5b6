import type { Session, Sessions } from '../../users/users.ts';

/**
 * Looks up the sessions of cookies. A secret that this node does not know may be a guess, and each guess costs a
 * database query. Unknown secrets from one address are therefore looked up one at a time, and only until the address
 * reaches its limit of wrong credentials.
 */
export class SessionLookups {
  /** The last pending lookup of each address. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly sessions: Pick<Sessions, 'cached' | 'isKnown' | 'find'>) {}

  /**
   * Passes the session that has the secret to `authorize`; undefined if there is none or the address is at its limit.
   * Returns a promise only if the database is queried.
   * @param scope The address scope (see `addressScope`).
   * @param mayGuess Returns whether the address is below its limit of wrong credentials.
   * @param fail Called with the error of a failed lookup.
   */
  find<Result>(
    secret: string,
    scope: string,
    mayGuess: () => boolean,
    authorize: (session: Session | undefined) => Result | Promise<Result>,
    fail: (error: unknown) => Result = raise,
  ): Result | Promise<Result> {
    const { sessions } = this;
    const session = sessions.cached(secret);
    if (session !== undefined) return authorize(session);
    const query = () => sessions.find(secret).then(authorize, fail);
    if (sessions.isKnown(secret)) return query();
    if (!mayGuess()) return authorize(undefined);
    const guess = () => (mayGuess() ? query() : authorize(undefined));
    const previous = this.last.get(scope);
    const result = previous === undefined ? query() : previous.then(guess, guess);
    this.last.set(scope, result);
    const end = () => {
      if (this.last.get(scope) === result) this.last.delete(scope);
    };
    result.then(end, end);
    return result;
  }
}

function raise(error: unknown): never {
  throw error;
}
