import { afterEach, beforeEach } from 'bun:test';
import { empty, TestUsers } from './test-users.ts';

/** Returns users that begin in an empty database before each test, and are closed after it. */
export function usersOfEachTest(url: string): TestUsers {
  const test = new TestUsers();
  beforeEach(async () => {
    await empty(url);
    await test.begin(url);
  });
  afterEach(() => test.users.close());
  return test;
}
