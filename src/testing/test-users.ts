import { SQL } from 'bun';
import type { Bus } from '../cluster/bus/bus.ts';
import type { Database } from '../users/database.ts';
import type { Mail } from '../users/mail.ts';
import type { SignInClient } from '../users/sign-in/sign-in.ts';
import { Users } from '../users/users.ts';

export const PASSWORD = 'a meadow full of clover';
/** The cheapest parameters of argon2id. */
export const CHEAP = { memoryCost: 8, timeCost: 1 } as const;
const BASE_URL = 'https://exchange.test';

const { BUTTONWOOD_TEST_POSTGRES } = process.env;
/** Databases for contract tests: name and URL. BUTTONWOOD_TEST_POSTGRES=postgres://… adds PostgreSQL. */
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

/** Users in their own database, with a clock set by hand and the mails that were sent. */
export class TestUsers {
  now!: number;
  mails!: Mail[];
  /** Ids of the trading accounts that were opened. */
  opened!: string[];
  /** Called when an account is opened: after the credentials were checked, before the session starts. */
  onOpenAccount!: () => Promise<void>;
  users!: Users;

  static async open(url = 'sqlite://:memory:', bus?: Bus): Promise<TestUsers> {
    const test = new TestUsers();
    await test.begin(url, bus);
    return test;
  }

  /** Opens the users, with everything else as at first. */
  async begin(url: string, bus?: Bus): Promise<void> {
    this.now = Date.UTC(2026, 0, 5, 12);
    this.mails = [];
    this.opened = [];
    this.onOpenAccount = async () => {};
    this.users = await Users.open({
      url,
      sendMail: async (mail) => void this.mails.push(mail),
      baseUrl: () => BASE_URL,
      now: () => this.now,
      permissions: 3,
      openAccount: async (accountId) => {
        this.opened.push(accountId);
        await this.onOpenAccount();
      },
      cost: CHEAP,
      bus,
    });
  }

  get database(): Database {
    return Reflect.get(this.users, 'database');
  }

  /** The token in the last mail. */
  get token(): string {
    return /#token=(\S+)/.exec(this.mails.at(-1)!.text)![1]!;
  }

  /** Signs a user up and opens the mailed link. */
  async addUser(email: string, password = PASSWORD) {
    const { signUp, store } = this.users;
    await signUp.begin(email, password, 'Carol', CLIENT.scope);
    const user = await signUp.verify(this.token);
    return (await store.findById(user.id))!;
  }

  async signIn(
    email: string,
    password = PASSWORD,
    code?: string,
    from: Partial<SignInClient> = {},
  ) {
    const client = { ...CLIENT, ...from };
    const signedIn = await this.users.signIn.withPassword(email, password, code, client);
    if (signedIn === 'second_factor_required') throw new Error(signedIn);
    return signedIn;
  }
}

export const CLIENT: SignInClient = {
  address: '192.0.2.1',
  scope: '192.0.2.1',
  userAgent: 'a browser',
  device: undefined,
  session: undefined,
};
