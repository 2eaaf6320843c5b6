import { join } from 'node:path';
import type { InstallTerms } from '../python/python-packages.ts';
import type { KeyType } from './ecosystem-sandbox.ts';

/** A program in clients/ that trades with one library, unmodified, as a bot does. */
export interface ClientProgram {
  readonly name: string;
  /** The file in requirements/ with the library; undefined for a program on Node. */
  readonly requirements?: string;
  readonly install?: InstallTerms;
  /** The file in clients/, and its arguments. */
  readonly program: readonly string[];
  /** The parts that the program must report as exercised, in order. */
  readonly parts: readonly string[];
  /** The type of its key; HMAC by default. */
  readonly keyType?: KeyType;
  /** Whether it connects over TLS only. */
  readonly usesTls?: true;
  /** The suites that leave it out, and why; undefined if it runs in `npm run test:system`. */
  readonly leftOut?: { readonly of: 'system' | 'system and long'; readonly because: string };
}

/** A run of the tests: `npm run test:system`, what `npm run test:long` adds to it, or everything. */
export type Run = 'system' | 'long' | 'all';

/** Returns whether a run has a program. */
export function includes(run: Run, { leftOut }: ClientProgram): boolean {
  if (run === 'all') return true;
  return run === 'long' ? leftOut?.of === 'system' : leftOut === undefined;
}

const CCXT_PARTS = [
  'markets',
  'market data',
  'limit orders',
  'market orders',
  'special orders',
  'rejections',
];

export const CLIENTS: readonly ClientProgram[] = [
  {
    name: 'ccxt for Python',
    requirements: 'ccxt',
    program: ['ccxt_rest.py', 'sync'],
    parts: CCXT_PARTS,
  },
  {
    name: 'asynchronous ccxt for Python',
    requirements: 'ccxt',
    program: ['ccxt_rest.py', 'async'],
    parts: CCXT_PARTS,
  },
  {
    name: 'ccxt.pro for Python',
    requirements: 'ccxt',
    program: ['ccxt_pro.py'],
    parts: ['order books', 'market data', 'user data', 'orders over sockets'],
  },
  {
    name: 'ccxt for JavaScript',
    program: ['ccxt_node.mjs'],
    parts: ['market data', 'orders', 'streams', 'user data and orders over sockets'],
  },
  {
    name: 'python-binance',
    requirements: 'python-binance',
    program: ['python_binance.py'],
    parts: ['REST', 'streams', 'user data and orders over sockets'],
  },
  {
    name: 'binance-connector',
    requirements: 'binance-connector',
    program: ['official_connector.py'],
    parts: ['REST', 'streams', 'user data', 'WebSocket API'],
  },
  {
    name: 'binance-sdk-spot',
    requirements: 'binance-sdk-spot',
    program: ['binance_sdk.py'],
    parts: ['REST', 'streams', 'WebSocket API'],
  },
  {
    name: 'nautilus_trader',
    requirements: 'nautilus-trader',
    program: ['nautilus_node.py', 'HMAC'],
    parts: ['market data', 'limit orders', 'market orders'],
  },
  {
    name: 'nautilus_trader with an Ed25519 key',
    requirements: 'nautilus-trader',
    program: ['nautilus_node.py', 'Ed25519'],
    parts: ['market data', 'limit orders', 'market orders'],
    keyType: 'ed25519',
  },
  {
    name: "CCXT's own tests of an exchange",
    requirements: 'ccxt',
    program: ['ccxt_suite.py'],
    parts: ["CCXT's tests of REST", "CCXT's tests of streams"],
  },
  {
    name: 'freqtrade',
    requirements: 'freqtrade',
    program: ['freqtrade_bot.py'],
    parts: [
      'list-markets',
      'download-data',
      'backtesting',
      'stop-loss on the exchange',
      'live trading',
      'no errors in its log',
    ],
    leftOut: {
      of: 'system',
      because: 'its packages take minutes to install, and it trades for a minute',
    },
  },
  {
    name: 'cryptofeed',
    requirements: 'cryptofeed',
    program: ['cryptofeed_feed.py'],
    parts: ['l2_book', 'trades', 'ticker', 'candles'],
    usesTls: true,
    leftOut: { of: 'system', because: 'it needs openssl and a sandbox of its own' },
  },
  {
    name: 'hummingbot',
    requirements: 'hummingbot',
    install: { options: ['--no-deps'], env: { WITHOUT_CYTHON_OPTIMIZATIONS: '1' } },
    program: ['hummingbot_connector.py'],
    parts: ['market data', 'limit orders', 'market orders', 'polling'],
    leftOut: {
      of: 'system and long',
      because: 'it is compiled from its source, which takes minutes and needs a C++ compiler',
    },
  },
];

/** The programs are here. */
export const PROGRAMS = join(import.meta.dir, 'clients');

/** Returns the path of a file of requirements. */
export function requirementsPath(name: string): string {
  return join(import.meta.dir, 'requirements', `${name}.txt`);
}
