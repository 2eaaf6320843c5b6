import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BINANCE_ENDPOINTS } from '../src/gateway/binance/endpoints.ts';
import { ENDPOINTS } from '../src/gateway/endpoints/endpoints.ts';
import { ERRORS } from '../src/gateway/http/response/errors.ts';
import { ExchangeProcess, temporaryDirectory } from './process/exchange-process.ts';

/** The requests in the documents work when pasted, and the responses have the documented structure. */

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs/trading'))
    .sort()
    .map((name) => `docs/trading/${name}`),
];
const SEPARATOR = '--- next block ---';

interface Block {
  readonly language: string;
  readonly text: string;
}

const directory = temporaryDirectory();
let exchange: ExchangeProcess;

beforeAll(async () => {
  symlinkSync(join(ROOT, 'bin'), join(directory.path, 'bin'));
  exchange = await ExchangeProcess.start(join(directory.path, 'data'));
  await quote();
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

/** Gives the market orders and prices, as the sandbox's market makers do, and some trades. */
async function quote(): Promise<void> {
  const place = async (name: string, side: string, price: number, amount: number) => {
    const order = { symbol: 'BTC/USDT', side, type: 'limit', amount, price };
    const body = JSON.stringify(order);
    await exchange.send(exchange.credential(name), 'POST', '/api/orders', body);
  };
  await place('bob', 'sell', 118_010, 2);
  await place('bob', 'buy', 117_990, 2);
  await place('alice', 'buy', 118_010, 0.01);
  await place('alice', 'buy', 118_010, 0.02);
}

/** The fenced blocks of a Markdown page. */
function findBlocks(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, content]) => ({
    language: language!,
    text: content!,
  }));
}

/** Runs scripts one after the other in one shell; returns the standard output of each. */
async function runInShell(scripts: readonly string[]): Promise<string[]> {
  const shell = Bun.spawn(['bash', '-c', scripts.join(`\necho; echo '${SEPARATOR}'\n`)], {
    cwd: directory.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  return output.split(SEPARATOR);
}

/** Parses JSON values that follow each other. `…` in an object becomes a member of that name. */
function parseAll(text: string): unknown[] {
  const values: string[] = [''];
  let depth = 0;
  for (const token of text.match(/"(?:\\.|[^"\\])*"|[\s\S]/g) ?? []) {
    if (depth === 0 && /\s/.test(token)) continue;
    values[values.length - 1] += token === '…' ? '"…":true' : token;
    if (token === '{') depth++;
    if (token === '}' && --depth === 0) values.push('');
  }
  return values.slice(0, -1).map((value) => JSON.parse(value));
}

/** Members whose values are compared too: a rejection must not pass for a success. */
const COMPARED = new Set(['success', 'code', 'rule', 'status']);

/** Returns the differences between a documented value and a response: names, types, and a few values. */
function differences(documented: unknown, actual: unknown, path: string): string[] {
  const [expected, found] = [typeName(documented), typeName(actual)];
  if (expected !== found) return [`${path} is documented as ${expected}, but is ${found}`];
  if (Array.isArray(documented) && Array.isArray(actual)) {
    if (documented.length > 0 && actual.length === 0) return [`${path} is empty`];
    return documented.flatMap((item, index) =>
      differences(item, actual[Math.min(index, actual.length - 1)], `${path}[${index}]`),
    );
  }
  if (expected !== 'object') return [];
  return memberDifferences(documented as Members, actual as Members, path);
}

type Members = Record<string, unknown>;

function memberDifferences(documented: Members, actual: Members, path: string): string[] {
  const { '…': isPartial, ...members } = documented;
  const missing = Object.keys(actual).filter((name) => isPartial !== true && !(name in members));
  return [
    ...missing.map((name) => `${path}.${name} is not documented`),
    ...Object.entries(members).flatMap(([name, value]) => {
      const at = `${path}.${name}`;
      if (!(name in actual)) return [`${at} is not in the response`];
      if (!COMPARED.has(name) || actual[name] === value || typeof value === 'object') {
        return differences(value, actual[name], at);
      }
      return [`${at} is documented as ${value}, but is ${actual[name]}`];
    }),
  ];
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

test.each(PAGES)('the requests of %s have the documented responses', async (page) => {
  const blocks = findBlocks(page);
  const isRun = ({ language, text }: Block) =>
    language === 'sh' && /\bcurl\b|bun\.mjs -e|source data\/sandbox\.env|^ws /m.test(text);
  const scripts = blocks.filter(isRun).map(({ text }) => text);
  const outputs = await runInShell(['source data/sandbox.env', ...scripts]);
  const found: string[] = [];
  for (const [index, script] of scripts.entries()) {
    const following = blocks[blocks.findIndex(({ text }) => text === script) + 1];
    if (following?.language !== 'json') continue;
    const output = outputs[index + 1]!;
    const documented = parseAll(following.text);
    const actual = parseAll(output);
    const at = `${script.trim().split('\n')[0]}: ${output.trim().slice(0, 300)}\n`;
    if (documented.length !== actual.length) found.push(`${at} has ${actual.length} responses`);
    documented.forEach((value, at_) => {
      found.push(...differences(value, actual[at_], '').map((difference) => at + difference));
    });
  }
  expect(found).toEqual([]);
});

test('every error code of the API is in errors.md, with its status', () => {
  const text = readFileSync(join(ROOT, 'docs/trading/errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code!,
    Number(status),
  ]);
  const codes = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(codes));
  expect(rows.length).toBe(codes.length);
});

test('limits.md has the rate limit and the permission of every endpoint for traders', () => {
  const rows = readFileSync(join(ROOT, 'docs/trading/limits.md'), 'utf8')
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
    .filter((cells) => cells.length === 3);
  // Sign-up and sign-in are one row.
  const isForTraders = ({ access, path }: { access: string; path: string }) =>
    ['read', 'trade', 'place'].includes(access) ||
    (access === 'public' && !path.startsWith('/api/account/'));
  const wrong = ENDPOINTS.filter(isForTraders).filter(({ method, path, access, limit }) => {
    const names = new RegExp(`\`(?:${method} )?${path}\``);
    const row = rows.find(([cell]) => cell!.includes(method) && names.test(cell!));
    const permission =
      access === 'public' ? 'none' : `\`${access === 'place' ? 'trade' : access}\``;
    return row?.[1] !== permission || row[2] !== `${limit}`;
  });
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('binance.md has every endpoint of the dialect, with its method, security and weight', () => {
  const security = {
    public: 'NONE',
    key: 'USER_STREAM',
    read: 'USER_DATA',
    trade: 'TRADE',
    place: 'TRADE',
  };
  const rows = BINANCE_ENDPOINTS.map(({ method, path, operation, access, weight }) => {
    const name = operation === undefined ? '' : `\`${operation}\``;
    const cost = typeof weight === 'number' ? weight : 'varies';
    return `| \`${method} ${path}\` | ${name} | ${security[access]} | ${cost} |`;
  });
  const text = readFileSync(join(ROOT, 'docs/trading/binance.md'), 'utf8');
  const written = text.split('\n').filter((line) => /^\| `[A-Z]+ \//.test(line));
  expect(written.sort()).toEqual(rows.sort());
});

/** The messages of the sources, with `…` for their variable parts. */
async function messagesInSources(): Promise<string> {
  const texts: string[] = [];
  for await (const path of new Bun.Glob('src/**/*.ts').scan(ROOT)) {
    if (!path.endsWith('.test.ts')) texts.push(readFileSync(join(ROOT, path), 'utf8'));
  }
  return texts
    .join('\n')
    .replace(/['`]\s*\+\s*['`]/g, '')
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
    .replaceAll("\\'", "'");
}

/** Headings of runbooks.md that are not messages. */
const TOPICS = [
  'Contents',
  'Orders rejected because history is unavailable',
  'No operator key works',
  'Check the log with verify',
  'Skip a command',
];

test('every message that heads a runbook is in the sources', async () => {
  const text = readFileSync(join(ROOT, 'docs/operating/runbooks.md'), 'utf8');
  const sources = await messagesInSources();
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
  const unknown = headings.filter((heading) => !TOPICS.includes(heading));
  expect(unknown.filter((heading) => !sources.includes(heading))).toEqual([]);
  expect(unknown.length).toBeGreaterThan(15);
});
