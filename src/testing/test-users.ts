import { SQL } from 'bun';
import type { Bus } from '../cluster/bus/bus.ts';
import type { Database } from '../users/database.ts';
import type { Mail } from '../users/mail.ts';
import type { Newcomer } from '../users/sign-in.ts';
import { Users } from '../users/users.ts';

export const PASSWORD = 'a meadow full of clover';
/** The cheapest parameters of argon2id. */
export const CHEAP = { memoryCost: 8, timeCost: 1 } as const;
const BASE_URL = 'https://exchange.test';

const { BUTTONWOOD_TEST_POSTGRES } = process.env;
/** Databases for the tests: name and URL. BUTTONWOOD_TEST_POSTGRES=postgres://… adds one. */
export const DATABASES = ['sqlite://:memory:', BUTTONWOOD_TEST_POSTGRES]
  .filter((url) => url !== undefined)
  .map((url) => [url.split(':')[0]!, url] as const);

/** Empties a database that is shared by tests. */
export async function empty(url: string): Promise<void> {
  if (url.startsWith('sqlite')) return;
  const sql = new SQL(url);
  await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public').simple();
  await sql.close();
}

/** Users in their own database, with a manual clock and the mails that were sent. */
export class TestUsers {
  now = Date.UTC(2026, 0, 5, 12);
  readonly mails: Mail[] = [];
  /** Accounts that the engine was asked to create. */
  readonly opened: string[] = [];
  /** Runs while an account is being created, after the sign-in was checked and before there is a session. */
  onOpening: () => Promise<void> = async () => {};
  accounts!: Users;

  static async open(url = 'sqlite://:memory:', bus?: Bus): Promise<TestUsers> {
    const test = new TestUsers();
    test.accounts = await Users.open({
      url,
      sendMail: async (mail) => void test.mails.push(mail),
      baseUrl: () => BASE_URL,
      now: () => test.now,
      permissions: 3,
      openAccount: async (accountId) => {
        test.opened.push(accountId);
        await test.onOpening();
      },
      cost: CHEAP,
      bus,
    });
    return test;
  }

  get database(): Database {
    return Reflect.get(this.accounts, 'database');
  }

  /** Returns the token in the last mail's link. */
  get token(): string {
    return /#token=(\S+)/.exec(this.mails.at(-1)!.text)![1]!;
  }

  /** Signs a user up and opens the mailed link. */
  async addUser(email: string, password = PASSWORD) {
    const { signUp, users } = this.accounts;
    await signUp.begin(email, password, 'Carol', NEWCOMER.scope);
    const user = await signUp.verify(this.token);
    return (await users.byId(user.id))!;
  }

  async signIn(email: string, password = PASSWORD, code?: string, from: Partial<Newcomer> = {}) {
    const newcomer = { ...NEWCOMER, ...from };
    const signedIn = await this.accounts.signIn.withPassword(email, password, code, newcomer);
    if (signedIn === 'second_factor_required') throw new Error(signedIn);
    return signedIn;
  }
}

export const NEWCOMER: Newcomer = {
  address: '192.0.2.1',
  scope: '192.0.2.1',
  userAgent: 'a browser',
  device: undefined,
  session: undefined,
};
