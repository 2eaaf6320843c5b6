import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/** Tests the packages @buttonwood/client and @buttonwood/ccxt as published on npm, on plain Node. */

setDefaultTimeout(120_000);

const root = join(import.meta.dir, '../..');
const server = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const directory = temporaryDirectory();
const modules = join(directory.path, 'node_modules');
const tarballs = new Map<string, Buffer>();
let exchange: ExchangeProcess;

beforeAll(async () => {
  mkdirSync(join(modules, '@buttonwood'), { recursive: true });
  for (const name of ['client', 'ccxt']) {
    const folder = join(root, 'packages', name);
    const pack = ['npm', 'pack', '--json', '--ignore-scripts=false', '--pack-destination'];
    const packed = await run(folder, ...pack, directory.path);
    // The build script may print lines before it.
    const [{ filename }] = JSON.parse(packed.slice(packed.search(/^\[/m)));
    const tarball = join(directory.path, filename);
    tarballs.set(name, readFileSync(tarball));
    const installed = join(modules, '@buttonwood', name);
    mkdirSync(installed);
    await run(installed, 'tar', '-xzf', tarball, '--strip-components=1');
  }
  // The only package that theirs need, and what it needs.
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('@buttonwood') || name === 'buttonwood') continue;
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(directory.path, 'package.json'), '{"type":"module"}');
  exchange = await ExchangeProcess.start(join(directory.path, 'data'));
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

/** Runs a command that must succeed. @returns Its output. */
async function run(cwd: string, ...command: string[]): Promise<string> {
  const { apiKey = '', apiSecret = '' } = exchange?.credential('alice') ?? {};
  const child = Bun.spawn(command, {
    cwd,
    env: {
      ...process.env,
      ...{ BUTTONWOOD_URL: exchange?.baseUrl, API_KEY: apiKey, API_SECRET: apiSecret },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${output}${errors}`);
  return output;
}

describe.each(['client', 'ccxt'])('@buttonwood/%s', (name) => {
  const installed = join(modules, '@buttonwood', name);
  const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

  test('publint reports nothing', async () => {
    const tarball = new Uint8Array(tarballs.get(name)!).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  test('the types resolve wherever ES modules do', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarballs.get(name)!), {});
    expect(analysis.types).not.toBe(false);
    if (analysis.types === false) return;
    // A package with only ES modules, as checked by `attw --profile esm-only`.
    const wrong = analysis.problems.filter(
      (problem) =>
        !('resolutionKind' in problem) ||
        ['node16-esm', 'bundler'].includes(problem.resolutionKind),
    );
    expect(wrong).toEqual([]);
  });

  test('has the version of the server, no dependencies, and only what its users need', () => {
    const { version, dependencies, license } = manifest();
    expect([version, dependencies, license]).toEqual([server.version, undefined, server.license]);
    expect(readdirSync(installed).sort()).toEqual(
      ['LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json'].sort(),
    );
    expect(tarballs.get(name)!.length).toBeLessThan(200_000);
  });

  test('the relative links of its documents lead to files', () => {
    const pages = readdirSync(join(installed, 'docs/trading')).map(
      (page) => `docs/trading/${page}`,
    );
    let links = 0;
    for (const page of ['README.md', ...pages]) {
      const text = readFileSync(join(installed, page), 'utf8');
      for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
        links++;
        const path = join(installed, page, '..', target!);
        expect({ page, target, size: readFileSync(path).length }).not.toMatchObject({ size: 0 });
      }
    }
    expect(links).toBeGreaterThan(20);
  });
});

test.each(['.', 'packages/client', 'packages/ccxt'])('npm would publish %s', async (folder) => {
  const publish = ['npm', 'publish', '--dry-run', '--json', '--ignore-scripts'];
  const printed = await run(join(root, folder), ...publish);
  expect(printed).toContain(`"version": "${server.version}"`);
});

test('the program of the client runs on plain Node', async () => {
  const text = `
    import { Client } from '@buttonwood/client';
    const { BUTTONWOOD_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret } = process.env;
    const client = new Client({ baseUrl, apiKey, apiSecret, exactNumbers: true });
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', price: '40000.10' };
    const { amount, price } = await client.placeOrder({ ...order, amount: '0.12345678' });
    console.log(amount, price);`;
  writeFileSync(join(directory.path, 'program.mjs'), text);
  expect(await run(directory.path, 'node', 'program.mjs')).toBe('0.12345678 40000.1\n');
});

test('an example of the client runs as it is packed', async () => {
  const example = join(modules, '@buttonwood/client/examples/portfolio.ts');
  const env = exchange.credential('alice');
  const child = Bun.spawn([process.execPath, example], {
    cwd: directory.path,
    env: {
      ...process.env,
      BUTTONWOOD_URL: exchange.baseUrl,
      API_KEY: env.apiKey,
      API_SECRET: env.apiSecret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await child.stdout.text()).toContain('BTC');
  expect(await child.exited).toBe(0);
});

test('the example of the CCXT class runs on plain Node', async () => {
  const example = join(modules, '@buttonwood/ccxt/examples/best-bid.mjs');
  const printed = await run(directory.path, 'node', example, 'BTC/USDT', '0.5', '1');
  expect(printed).toBe('placed at 40000.1\nbest bid 40000.1 × 0.62345678\ncanceled, 0 filled\n');
});

test('the example of exits tests, buys, and places both exits', async () => {
  const offer = { symbol: 'BTC/USDT', side: 'sell', type: 'limit', amount: 1, price: 50_000 };
  const bob = exchange.credential('bob');
  await exchange.send(bob, 'POST', '/api/orders', JSON.stringify(offer));
  const example = join(modules, '@buttonwood/ccxt/examples/exits.mjs');
  const printed = await run(directory.path, 'node', example, 'BTC/USDT', '0.5');
  const exits = 'takes profit at 50500, stops the loss at 49500\ncanceled\n';
  expect(printed).toBe(`would buy 0.5 at 50000\nbought 0.5 at 50000\n${exits}`);
});

test('no dependency of the server excludes a version of Node that it claims', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const claimed = ['20.19.0', '22.12.0', '24.0.0'];
  for (const version of claimed) {
    expect(Bun.semver.satisfies(version, server.engines.node)).toBe(true);
  }
  // Else `npm ci` prints EBADENGINE.
  const excluding = Object.entries<{ engines?: { node?: string } }>(packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .flatMap(([path, { engines }]) =>
      claimed
        .filter((version) => engines?.node && !Bun.semver.satisfies(version, engines.node))
        .map((version) => `${path} excludes ${version}: ${engines!.node}`),
    );
  expect(excluding).toEqual([]);
});
