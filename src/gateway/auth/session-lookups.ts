import type { Session, Sessions } from '../../users/sessions.ts';

/**
 * Finds the sessions of cookies. A secret that this node has not seen may be a guess, and each guess costs the
 * database a query: the unknown secrets of one address are looked up one after the other, and only while the
 * address has wrong credentials left.
 */
export class SessionLookups {
  /** The last of an address's lookups that wait or run. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly sessions: Pick<Sessions, 'cached' | 'isKnown' | 'find'>) {}

  /**
   * Passes the session that has the secret to `admit`, undefined if there is none or it may not be looked up.
   * Returns a promise only if the session has to be looked up.
   * @param scope The address, as it is counted.
   * @param mayGuess Whether the address has wrong credentials left.
   * @param fail Takes what kept the session from being looked up.
   */
  find<Result>(
    secret: string,
    scope: string,
    mayGuess: () => boolean,
    admit: (session: Session | undefined) => Result | Promise<Result>,
    fail: (error: unknown) => Result = raise,
  ): Result | Promise<Result> {
    const { sessions } = this;
    const session = sessions.cached(secret);
    if (session !== undefined) return admit(session);
    const query = () => sessions.find(secret).then(admit, fail);
    if (sessions.isKnown(secret)) return query();
    if (!mayGuess()) return admit(undefined);
    const guess = () => (mayGuess() ? query() : admit(undefined));
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
