import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { hasPostgres, startPostgres } from './postgres.ts';

test.if(hasPostgres())(
  'keeps what was committed when it is killed, and loses it when it is stopped',
  async () => {
    const server = await startPostgres();
    const url = await server.createDatabase('one');
    const write = new SQL(url, { max: 1 });
    await write.unsafe('CREATE TABLE kept (value INTEGER)');
    await write.unsafe('INSERT INTO kept VALUES (1)');
    await server.kill();
    const attempt = new SQL(url, { max: 1 });
    await expect(attempt.unsafe('SELECT 1').execute()).rejects.toThrow();
    await server.restart();
    const read = new SQL(url, { max: 1 });
    expect([...(await read.unsafe('SELECT value FROM kept'))]).toEqual([{ value: 1 }]);
    await read.unsafe('CREATE ROLE tester');
    await read.close();
    await server.stop();
    const late = new SQL(url, { max: 1 });
    await expect(late.unsafe('SELECT 1').execute()).rejects.toThrow();

    const next = await startPostgres();
    const look = new SQL(await next.createDatabase('one'), { max: 1 });
    expect([...(await look.unsafe("SELECT FROM pg_tables WHERE tablename = 'kept'"))]).toEqual([]);
    expect([...(await look.unsafe("SELECT FROM pg_roles WHERE rolname = 'tester'"))]).toEqual([]);
    await look.close();
    await next.stop();
  },
);
