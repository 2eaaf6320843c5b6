/** A page that `web/pages/<entry>.tsx` renders in the browser; it imports its style sheet. */
export interface WebPage {
  /** File name in web/pages, without the extension. */
  readonly entry: string;
  readonly title: string;
  readonly paths: readonly string[];
  /** Paths of the API that the script asks for first: the browser asks while it loads the script. */
  readonly data?: readonly string[];
  /** Exists only where the Binance dialect is served. */
  readonly needsBinance?: true;
  /** Exists only in a sandbox. */
  readonly needsSandbox?: true;
}

/** Properties of the exchange that pages depend on. */
export interface PageOptions {
  readonly isSandbox: boolean;
  readonly hasBinance: boolean;
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
  { entry: 'home', title: 'Cryptocurrency exchange', paths: ['/'], data: MARKET_DATA },
  {
    entry: 'trade',
    title: 'Trade',
    paths: ['/trade', '/trade/:market'],
    data: [...MARKET_DATA, '/api/assets'],
  },
  { entry: 'portfolio', title: 'Portfolio', paths: ['/portfolio'] },
  { entry: 'accounts', title: 'Accounts', paths: ['/accounts'] },
  { entry: 'deposit', title: 'Deposit', paths: ['/deposit'] },
  { entry: 'withdraw', title: 'Withdraw', paths: ['/withdraw'] },
  { entry: 'sign-up', title: 'Create an account', paths: ['/sign-up'] },
  { entry: 'sign-in', title: 'Sign in', paths: ['/sign-in'] },
  { entry: 'verify-email', title: 'Confirm your email address', paths: ['/verify-email'] },
  { entry: 'forgot-password', title: 'Reset your password', paths: ['/forgot-password'] },
  { entry: 'reset-password', title: 'Choose a new password', paths: ['/reset-password'] },
  { entry: 'bots', title: 'Bots', paths: ['/bots'], needsBinance: true },
  { entry: 'design', title: 'Design system', paths: ['/design'], needsSandbox: true },
  {
    entry: 'docs',
    title: 'API documentation',
    paths: ['/docs'],
    data: ['/openapi.json', '/asyncapi.json'],
  },
  {
    entry: 'status',
    title: 'Status',
    paths: ['/status'],
    data: ['/api/status', '/api/markets', '/api/status/history'],
  },
  NOT_FOUND_PAGE,
  { entry: 'settings', title: 'Settings', paths: ['/settings'] },
  { entry: 'operator', title: 'Operator', paths: ['/operator'] },
];
