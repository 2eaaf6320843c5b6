import { expect, test } from 'bun:test';
import { runForTest } from '../../testing/test-cli.ts';

const env = {
  BUTTONWOOD_LOG: 'nats://carol:canary@host',
  BUTTONWOOD_LOG_SYSTEM: 'nats://sys:canary@host',
  BUTTONWOOD_DATABASE: 'postgres://bob:canary@host/name?password=canary',
  BUTTONWOOD_SMTP_URL: 'smtps://dan:canary@host',
  BUTTONWOOD_MAIL_FROM: 'a@b.example',
};

test('config shows the source of each value, and no password', async () => {
  const argv = ['config', '--node', 'one', '--port=0'];
  const { exitCode, out, error } = await runForTest(argv, env);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out).toMatch(/^port +0 +--port$/m);
  expect(out).toMatch(/^logReplicas +3 +default$/m);
  expect(out).toMatch(/^smtpUrl +smtps:\/\/dan:\*\*\*@host +BUTTONWOOD_SMTP_URL$/m);
  expect(out).not.toMatch(/canary|makers/);

  const json = (await runForTest([...argv, '--json'], env)).out;
  expect(json).not.toContain('canary');
  expect(JSON.parse(json)).toMatchObject({
    log: { value: 'nats://carol:***@host', from: 'BUTTONWOOD_LOG' },
    tlsCert: { value: null, from: 'default' },
  });
});

test('config rejects settings that a start would reject', async () => {
  const refused = await runForTest(['config', '--log-sync', 'never'], env);
  expect(refused).toMatchObject({ exitCode: 2, out: '' });
  expect(refused.error).toBe(
    'buttonwood: --log-sync must be one of checked, asserted, not "never".',
  );
  const seeded = await runForTest(['config', '--seed', '4'], env);
  expect(seeded.error).toContain('--seed is only for the sandbox');
  expect(await runForTest(['config', '--sandbox', '--seed', '4'], env)).toMatchObject({
    exitCode: 0,
  });
  const unknown = await runForTest(['config', '--log-stram', 'x'], env);
  expect(unknown).toMatchObject({ exitCode: 2 });
  expect(unknown.error).toContain('Did you mean --log-stream?');
});
