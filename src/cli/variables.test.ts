import { expect, test } from 'bun:test';
import { settings } from '../config/settings.ts';
import { runForTest } from '../testing/test-cli.ts';
import { checkVariables } from './variables.ts';

test.each([
  ['BUTTONWOOD_DATBASE', 'Did you mean BUTTONWOOD_DATABASE?'],
  ['BUTTONWOOD_PORT', 'Did you mean PORT?'],
  ['BUTTONWOOD_CONFIGURATION', 'Unknown variable BUTTONWOOD_CONFIGURATION.'],
  ['BUTTONWOOD_DATABASE_FIL', 'Did you mean BUTTONWOOD_DATABASE_FILE?'],
  ['BUTTONWOOD_DATA_FILE', 'Unknown variable BUTTONWOOD_DATA_FILE.'],
  ['BUTTONWOOD_TRUSTED_PROXY', 'Did you mean BUTTONWOOD_TRUSTED_PROXIES?'],
])('%s is rejected: %s', (name, message) => {
  expect(() => checkVariables({ [name]: 'canary' })).toThrow(message);
  expect(() => checkVariables({ [name]: 'canary' })).not.toThrow('canary');
  // Empty variables count as unset.
  expect(() => checkVariables({ [name]: '' })).not.toThrow();
});

test('accepts settings, variables of the client, launcher and tests, and those without the prefix', () => {
  const names = [
    ...settings.map(({ variable }) => variable),
    'BUTTONWOOD_CONFIG',
    'BUTTONWOOD_LOG_FILE',
    'BUTTONWOOD_SMTP_URL_FILE',
    'BUTTONWOOD_URL',
    'BUTTONWOOD_API_KEY',
    'BUTTONWOOD_API_SECRET',
    'BUTTONWOOD_TEST_POSTGRES',
    'BUTTONWOOD_LAUNCHER_FD',
    'MY_BUTTONWOOD_DATBASE',
    'HOME',
  ];
  expect(() => checkVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).not.toThrow();
});

test('accepts the variables that Kubernetes sets for a service named buttonwood', () => {
  const links = {
    BUTTONWOOD_SERVICE_HOST: '10.0.0.1',
    BUTTONWOOD_SERVICE_PORT_HTTP: '3000',
    BUTTONWOOD_PORT: 'tcp://10.0.0.1:3000',
    BUTTONWOOD_NODES_PORT_3000_TCP_ADDR: '10.0.0.1',
  };
  expect(() => checkVariables(links)).not.toThrow();
});

test('an unknown variable prevents every command except help', async () => {
  const env = { BUTTONWOOD_DATBASE: 'postgres://bob:canary@host/name' };
  const rejected = await runForTest(['config'], env);
  expect(rejected).toMatchObject({ exitCode: 2, out: '' });
  expect(rejected.error).toContain('Did you mean BUTTONWOOD_DATABASE?');
  expect((await runForTest(['config', '--help'], env)).exitCode).toBe(0);
});
