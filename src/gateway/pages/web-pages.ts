import { FEED_PATH } from './status-feed.ts';
/** A page that `web/pages/<entry>.tsx` renders in the browser; it imports its style sheet. */
export interface WebPage {
  /** File name in web/pages, without the extension. */
  readonly entry: string;
  readonly title: string;
  readonly paths: readonly string[];
  /** Paths of the API that the script asks for first: the browser asks while it loads the script. */
  /** Path of the page's Atom feed. */
  readonly feed?: string;
  readonly data?: readonly string[];
  /** One or two sentences for search engines, which skip pages without. */
  readonly description?: string;
  /** Exists only where the Binance dialect is served. */
  readonly needsBinance?: true;
  /** Exists only in a sandbox. */
  readonly needsSandbox?: true;
}

/** Properties of the exchange that pages depend on. */
export interface PageOptions {
  readonly isSandbox: boolean;
  readonly hasBinance: boolean;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

/** The path of the files that pages of web/ load. */
export const ASSET_PATH = '/assets/:name';
/** The path of the service worker: at the root, because it serves only pages below its own folder. */
export const WORKER_PATH = '/service-worker.js';
/** The path of the page that the service worker keeps for times without a network. */
export const OFFLINE_PATH = '/offline';

/** The page for paths that no route has. */
export const NOT_FOUND_PAGE: WebPage = { entry: 'not-found', title: 'Page not found', paths: [] };

const MARKET_DATA = ['/api/markets', '/api/prices'];

/** The pages of web/. */
export const WEB_PAGES: readonly WebPage[] = [
  {
    entry: 'home',
    title: 'Cryptocurrency exchange',
    paths: ['/'],
    data: [...MARKET_DATA, '/api/fees/schedule'],
    description:
      'Trade crypto on a transparent order book. Orders match by price, then time; amounts and fees are exact to the last decimal. Every function is also available through the API.',
  },
  {
    entry: 'trade',
    title: 'Trade',
    paths: ['/trade', '/trade/:market'],
    description:
      'Trade crypto with live charts, order books and trades. Limit, stop, take-profit, trailing-stop, iceberg and OCO orders.',
    data: [...MARKET_DATA, '/api/assets'],
  },
  { entry: 'portfolio', title: 'Portfolio', paths: ['/portfolio'] },
  { entry: 'accounts', title: 'Accounts', paths: ['/accounts'] },
  { entry: 'deposit', title: 'Deposit', paths: ['/deposit'] },
  { entry: 'withdraw', title: 'Withdraw', paths: ['/withdraw'] },
  {
    entry: 'sign-up',
    title: 'Create an account',
    paths: ['/sign-up'],
    description: 'Open an account at Buttonwood, with passkeys and two-factor authentication.',
  },
  {
    entry: 'sign-in',
    title: 'Sign in',
    paths: ['/sign-in'],
    description: 'Sign in to your Buttonwood account with a password or a passkey.',
  },
  { entry: 'verify-email', title: 'Confirm your email address', paths: ['/verify-email'] },
  { entry: 'forgot-password', title: 'Reset your password', paths: ['/forgot-password'] },
  { entry: 'reset-password', title: 'Choose a new password', paths: ['/reset-password'] },
  {
    entry: 'bots',
    title: 'Bots',
    paths: ['/bots'],
    description:
      'Connect bots and libraries for the Binance Spot API to Buttonwood: change the address and the keys.',
    needsBinance: true,
  },
  { entry: 'design', title: 'Design system', paths: ['/design'], needsSandbox: true },
  {
    entry: 'docs',
    title: 'API documentation',
    paths: ['/docs'],
    description:
      'Reference of the Buttonwood REST and WebSocket API: market data, orders, fills, balances, deposits and withdrawals, with examples.',
    data: ['/openapi.json', '/asyncapi.json'],
  },
  {
    entry: 'status',
    title: 'Status',
    paths: ['/status'],
    description:
      'Current status of the Buttonwood exchange: API, trading and markets, incidents of the last 90 days, response times and announcements.',
    data: ['/api/status', '/api/markets', '/api/status/history'],
    feed: FEED_PATH,
  },
  NOT_FOUND_PAGE,
  { entry: 'settings', title: 'Settings', paths: ['/settings'] },
  { entry: 'operator', title: 'Operator', paths: ['/operator'] },
];

/** Whether an exchange with these properties has the page. */
export function isServed({ needsBinance, needsSandbox }: WebPage, options: PageOptions): boolean {
  return (options.hasBinance || !needsBinance) && (options.isSandbox || !needsSandbox);
}
