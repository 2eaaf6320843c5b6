import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CommandKind } from '../../src/engine/command.ts';
import { sandboxGenesis } from '../../src/sandbox/sandbox.ts';
import { listLibrary } from '../../src/scenario/library.ts';
import { runScenario } from '../../src/scenario/run-scenario.ts';
import { readScenario, SANDBOX_SYMBOLS, type Scenario } from '../../src/scenario/scenario.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { temporaryDirectory } from './exchange-process.ts';

/** The library of scenarios: its bots pass, its naive bots fail, and every run ends in the same state. */

setDefaultTimeout(600_000);

/** `npm run test:scenarios` runs all of them twenty times; here a few, twice. */
const RUNS = Number(process.env.SCENARIO_RUNS ?? 2);
const REPRESENTATIVE = ['delisting', 'lost-answers', 'one-sided-flow', 'out-of-order-streams'];

const library = listLibrary();
const chosen = library.filter(
  ({ file }) => RUNS > 2 || REPRESENTATIVE.includes(basename(file, '.yaml')),
);
const byTitle = chosen.map((scenario) => [scenario.content.title, scenario] as const);
const directory = temporaryDirectory();
afterAll(() => directory.remove());
const log = () => {};

describe.each(byTitle)('%s', (_, scenario: Scenario) => {
  test(`its bot passes ${RUNS} times, in the same state`, async () => {
    const result = await runScenario(scenario, { repeat: RUNS, log });
    const [first] = result.runs;
    expect({
      error: first?.error,
      failed: first?.assertions.filter((each) => !each.passed),
    }).toEqual({
      error: undefined,
      failed: [],
    });
    expect(new Set(result.runs.map(({ stateHash }) => stateHash)).size).toBe(1);
    expect(result.passed).toBe(true);
  });

  test('its naive bot fails an expectation, and does not just break', async () => {
    const { runs, passed, isRepeatable } = await runScenario(scenario, {
      repeat: 2,
      bot: 'naive',
      log,
    });
    expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(runs[0]!.assertions.filter((each) => !each.passed)).not.toEqual([]);
    expect({ passed, isRepeatable }).toEqual({ passed: false, isRepeatable: true });
  });
});

test('the library has the situations that every bot should know, and its table lists them', () => {
  expect(library.length).toBeGreaterThanOrEqual(12);
  const table = readFileSync(join(import.meta.dir, '../../scenarios/README.md'), 'utf8');
  for (const { file, content } of library) {
    expect(content.naive).toBeDefined();
    expect(table).toContain(`[${content.title}](${basename(file)})`);
  }
});

test('the markets that scenarios may use without listing them are those of the sandbox', () => {
  const listed = sandboxGenesis().flatMap((command) =>
    command.kind === CommandKind.listMarket ? [command.symbol] : [],
  );
  expect<readonly string[]>(SANDBOX_SYMBOLS).toEqual(listed);
});

/** Writes a scenario with a bot into the temporary directory. */
function write(name: string, content: { readonly yaml: string; readonly bot: string }): string {
  writeFileSync(join(directory.path, `${name}-bot.ts`), content.bot);
  const path = join(directory.path, `${name}.yaml`);
  writeFileSync(path, content.yaml.replace('BOT', `./${name}-bot.ts`));
  return path;
}

/** Runs a scenario by the command line; capsules of failed runs go into the temporary directory. */
function runFile(...words: string[]) {
  return runForTest(['scenario', 'run', ...words, '--capsules', directory.path]);
}

const YAML = `title: Test
lesson: Lesson
duration: 3s
accounts:
  bot: { USDT: 1000 }
bot: { account: bot, module: BOT }
timeline:
  - at: 1500ms
    transfer: { account: bot, asset: USDT, amount: 0.1 }
expect:
  - { balance: USDT, at: 1s, is: 1000 }
  - { balance: USDT, is: 1000.1 }
`;

test('actions happen at their time, between the steps too, and steps have the time of the exchange', async () => {
  const bot = `export default ({ client }) => {
    const seen = [];
    return {
      async start(time) { seen.push(time.elapsedMs); },
      async step({ timestamp, elapsedMs }) {
        seen.push(elapsedMs);
        const { timestamp: now } = await client.getTime();
        if (Date.parse(now) !== timestamp) throw new Error('wrong time ' + now);
        const { balances } = await client.getBalances();
        const total = elapsedMs < 1500 ? 1000 : 1000.1;
        if (balances[0].total !== total) throw new Error('wrong balance ' + balances[0].total);
      },
      async stop(time) { if (seen.join() !== '0,1000,2000,3000') throw new Error(seen.join()); },
    };
  };`;
  const { exitCode, out } = await runFile(write('times', { yaml: YAML, bot }));
  expect(out).toContain('✓ balance USDT (bot): 1000.1');
  expect(exitCode).toBe(0);
});

test('a failed run exits with 1, writes JUnit XML, and a capsule that replays', async () => {
  const bot = 'export default ({ client }) => ({ step() {} });';
  const yaml = YAML.replace('is: 1000.1', 'is: 1000.2');
  const path = write('failing', { yaml, bot });
  const junit = join(directory.path, 'junit.xml');
  const { exitCode, out } = await runFile(path, '--json', '--junit', junit);
  expect(exitCode).toBe(1);
  const { scenarios } = JSON.parse(out);
  const [{ capsule, stateHash, assertions }] = scenarios[0].runs;
  expect(assertions[1]).toMatchObject({
    expected: '1000.2',
    actual: '1000.1',
    place: `${path}:12:5`,
  });
  expect(readFileSync(junit, 'utf8')).toContain('failures="1"');
  const replayed = JSON.parse((await runForTest(['capsule', 'run', capsule, '--json'])).out);
  expect(replayed).toMatchObject({ equal: true, title: 'Test', stateHash });
});

test('a bot that throws, hangs up or does not load ends the run with its message', async () => {
  const step = 'export default () => ({ step() { throw new Error("the bot is lost"); } });';
  const thrown = await runFile(write('thrown', { yaml: YAML, bot: step }));
  expect(thrown.exitCode).toBe(1);
  expect(thrown.out).toContain("The bot's step failed: Error: the bot is lost");
  const empty = await runFile(write('empty', { yaml: YAML, bot: 'export {};' }));
  expect(empty.out).toContain('needs a default export');
  const broken = await runFile(write('broken', { yaml: YAML, bot: 'const' }));
  expect(broken.out).toContain('cannot be loaded');
  const yaml = YAML.replace('asset: USDT, amount: 0.1', 'asset: USDT, amount: -5000');
  const bot = 'export default () => ({ step() {} });';
  const path = write('rejected', { yaml, bot });
  const rejected = await runFile(path);
  expect(rejected.out).toContain('The action "transfer" failed: ');
  expect(rejected.out).toContain(`after 1.5 s (${path}:8:5)`);
});

test('a program in any language can be the bot', async () => {
  const bot = join(directory.path, 'program.sh');
  const script = `#!/bin/sh
while read line; do
  case "$line" in *'"event":"step","timestamp":1767225603000'*) curl -s "$BUTTONWOOD_URL/api/portfolio/balances" \\
    -H "Authorization: Bearer $API_KEY" -H "X-API-Secret: $API_SECRET" > ${directory.path}/seen;; esac
  echo done
done
`;
  writeFileSync(bot, script, { mode: 0o755 });
  const path = write('program', { yaml: YAML, bot: '' });
  const { exitCode } = await runFile(path, '--bot', bot);
  expect(exitCode).toBe(0);
  expect(readFileSync(join(directory.path, 'seen'), 'utf8')).toContain('1000.1');
  writeFileSync(bot, '#!/bin/sh\nexit 7\n');
  const ended = await runFile(path, '--bot', bot);
  expect(ended.exitCode).toBe(1);
  expect(ended.out).toContain('ended with exit code 7');
});

test('a position is checked after every step, not only at the end', async () => {
  const yaml = YAML.replace(
    'timeline:',
    `timeline:
  - at: 500ms
    transfer: { account: bot, asset: BTC, amount: 2 }
  - at: 2500ms
    transfer: { account: bot, asset: BTC, amount: -2 }`,
  ).replace(/expect:[\s\S]*/, 'expect:\n  - { position: BTC, is: at most 1 }\n');
  const bot = 'export default () => ({ step() {} });';
  const scenario = readScenario(write('position', { yaml, bot }));
  const { runs } = await runScenario(scenario, { repeat: 1, log });
  expect(runs[0]!.assertions).toMatchObject([{ passed: false, actual: '2', atMs: 1000 }]);
});

test('requests are sent one after another, and orders have the same ids in every run', async () => {
  const bot = `export default ({ client }) => ({
    async step({ elapsedMs }) {
      if (elapsedMs > 1000) return;
      const order = (price) => client.placeOrder({ symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.0001, price });
      const orders = await Promise.all(Array.from({ length: 20 }, (_, index) => order(1000 + index)));
      const ids = orders.map(({ orderId, clientOrderId }) => orderId + ' ' + clientOrderId).join();
      const wanted = orders.map((_, index) => (index + 1) + ' bot-' + (index + 1)).join();
      if (ids !== wanted) throw new Error(ids);
    },
  });`;
  const scenario = readScenario(write('sequential', { yaml: YAML, bot }));
  const { runs, passed } = await runScenario(scenario, { repeat: 2, log });
  expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(passed).toBe(true);
});

test('the example of the documentation runs as pasted', async () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/bots/scenarios.md'), 'utf8');
  for (const [, name, text] of page.matchAll(/File: `([\w.-]+)`\.\n\n```\w+\n([\s\S]*?)```/g)) {
    writeFileSync(join(directory.path, name!), text!);
  }
  const path = join(directory.path, 'dip.yaml');
  const { out, exitCode } = await runFile(path);
  const shown = /^PASSED {2}Buy the dip[\s\S]*?(?=, log position )/m.exec(page)![0];
  expect(out.replaceAll(`${directory.path}/`, '')).toStartWith(shown);
  expect(exitCode).toBe(0);
  const program = join(directory.path, 'program.yaml');
  const command = 'bot: { account: bot, command: [python3, bot.py] }';
  expect(page).toContain(command);
  writeFileSync(program, readFileSync(path, 'utf8').replace(/^bot: .*$/m, command));
  expect((await runFile(program)).exitCode).toBe(0);
});

test('streams have delivered everything that happened before a step', async () => {
  const yaml = YAML.replace(
    'timeline:',
    `timeline:
  - at: 250ms
    repeat: { every: 250ms, times: 12 }
    order: { account: maker, symbol: BTC/USDT, side: sell, type: limit, price: 118000, amount: 0.01 }`,
  ).replace('accounts:', 'accounts:\n  maker: { BTC: 1 }');
  const bot = `export default async ({ client, streams }) => {
    let asks = [];
    await streams.subscribe({ channel: 'orderbook', symbol: 'BTC/USDT' }, ({ data }) => { asks = data.asks; });
    return { step({ elapsedMs }) {
      const wanted = Math.round(elapsedMs / 250) / 100;
      if (asks[0]?.[1] !== wanted) throw new Error(wanted + ' is not ' + asks);
    } };
  };`;
  const scenario = readScenario(write('streams', { yaml, bot }));
  const { runs, passed } = await runScenario(scenario, { repeat: 5, log });
  expect(runs.map(({ error }) => error)).toEqual(Array(5).fill(undefined));
  expect(passed).toBe(true);
  expect(existsSync('streams.capsule')).toBe(false);
});
