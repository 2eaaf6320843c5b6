import type { Bug } from './bug.ts';

const byStart = (test: string) => ({ file: 'test/process/start-exchange.test.ts', test });
const byExchange = (test: string) => ({ file: 'test/process/test-exchange.test.ts', test });

/** Exchanges for tests of bots. */
export const testExchangeBugs: readonly Bug[] = [
  {
    name: 'a test exchange outlives the process that started it',
    file: 'src/test-exchange/server-process.ts',
    text: "env: { ...inheritedVariables(), BUTTONWOOD_LAUNCHER_FD: '3' },",
    becomes: 'env: inheritedVariables(),',
    catcher: byStart('ends with its launcher'),
  },
  {
    name: 'a test exchange keeps a program running that did not close it',
    file: 'src/test-exchange/server-process.ts',
    text: '    child.unref();\n',
    becomes: '',
    catcher: byStart('a program that does not close its exchange'),
    isSilence: true,
  },
  {
    name: 'a test exchange has the settings of another exchange',
    file: 'src/test-exchange/server-process.ts',
    text: "!name.startsWith('BUTTONWOOD_') &&",
    becomes: '',
    catcher: byStart('its HMAC keys trade'),
  },
  {
    name: 'a test passes although its exchange has crashed',
    file: 'src/test-exchange/running.ts',
    text: '    this.server.checkKilled();\n',
    becomes: '',
    catcher: byStart('close fails if the exchange has ended'),
  },
  {
    name: 'a damaged file of the cache stays there',
    file: 'src/test-exchange/start-exchange.ts',
    text: '    await remove(folder);\n',
    becomes: '',
    catcher: byStart('is replaced'),
  },
  {
    name: 'the cache of test exchanges keeps every release',
    file: 'src/test-exchange/cache.ts',
    text: '.slice(MAX_RELEASES);',
    becomes: '.slice(99);',
    catcher: byStart('releases and copies that are no longer used'),
  },
  {
    name: 'the cache of test exchanges keeps the data of all options',
    file: 'src/test-exchange/cache.ts',
    text: 'copies.slice(MAX_COPIES)',
    becomes: 'copies.slice(99)',
    catcher: byStart('releases and copies that are no longer used'),
  },
  {
    name: 'a test exchange with a stepped clock is frozen',
    file: 'src/test-exchange/start-exchange.ts',
    text: "typeof clock === 'object' && 'stepMs' in clock",
    becomes: 'false',
    catcher: byExchange('can step'),
  },
  {
    name: 'the list of faults that have happened ends after a page',
    file: 'src/test-exchange/faults.ts',
    text: 'if (injected.length < PAGE) return found;',
    becomes: 'return found;',
    catcher: byExchange('the list of faults is complete'),
  },
  {
    name: 'a test that returned to a checkpoint has other ids',
    file: 'src/test-exchange/running.ts',
    text: '      Object.assign(this.counts, counts);\n',
    becomes: '',
    catcher: byExchange('a checkpoint is returned to'),
  },
  {
    name: 'orders of a test have random ids',
    file: 'src/test-exchange/test-client.ts',
    text: 'parameters.clientOrderId ??',
    becomes: 'parameters.clientOrderId ?? Math.random() +',
    catcher: byExchange('the same calls give the same exchange'),
  },
];
