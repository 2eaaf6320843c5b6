/** A page that is compared with accepted pictures. */
export interface PicturePage {
  /** Begins the names of its pictures. */
  readonly name: string;
  readonly path: string;
  /** The sandbox user who sees it: the local part of the email address. */
  readonly as?: string;
  /** Selector of an element that is there once the page shows its data. */
  readonly ready: string;
  /** Selectors of values that differ in each run, such as response times. */
  readonly masks?: readonly string[];
  /** Whether the pictures show the page in full length. */
  readonly isWhole?: true;
}

const MAIN = 'main';
/** A drawn chart, and a live order book. */
const CHART = 'body:has(.connection.live) .canvas canvas';

const OPERATOR_SECTIONS: readonly (readonly [section: string, masks?: readonly string[]])[] = [
  ['dashboard', ['.tiles']],
  ['markets'],
  ['protection'],
  ['fees'],
  ['accounts'],
  ['custody'],
  ['custody/networks'],
  ['transfers', ['input[name="reference"]']],
  ['surveillance'],
  ['reports'],
  // The hash of the state, which has the ids of sub-accounts.
  ['books', ['.with-button code']],
  ['approvals'],
  ['audit'],
];
const SETTINGS_SECTIONS = [
  'profile',
  'security',
  'keys',
  'fees',
  'notifications',
  'webhooks',
  'display',
];

/** Every page; those for operators and the settings once per section. */
export const PICTURE_PAGES: readonly PicturePage[] = [
  { name: 'home', path: '/', ready: '.home-book[aria-busy="false"] td.buy:not(:empty)' },
  { name: 'trade-signed-out', path: '/trade/BTC-USDT', ready: CHART },
  { name: 'trade', path: '/trade/BTC-USDT', as: 'alice', ready: CHART },
  { name: 'portfolio', path: '/portfolio', as: 'alice', ready: '.value-chart canvas' },
  { name: 'accounts', path: '/accounts', as: 'bob', ready: 'main table', isWhole: true },
  { name: 'deposit', path: '/deposit', as: 'alice', ready: 'main .panel' },
  { name: 'withdraw', path: '/withdraw', as: 'alice', ready: 'main .panel' },
  { name: 'sign-up', path: '/sign-up', ready: 'form' },
  { name: 'sign-in', path: '/sign-in', ready: 'form' },
  { name: 'forgot-password', path: '/forgot-password', ready: 'form' },
  { name: 'reset-password', path: '/reset-password#token=any', ready: 'form' },
  { name: 'verify-email', path: '/verify-email#token=any', ready: 'form, .notice' },
  { name: 'bots', path: '/bots', as: 'alice', ready: 'pre' },
  { name: 'design', path: '/design', ready: 'main table', isWhole: true },
  {
    name: 'docs',
    path: '/docs',
    ready: '.docs-entry',
    masks: ['.docs-introduction h1 + p'],
  },
  {
    name: 'status',
    path: '/status',
    ready: '.status-head.good',
    // The release, the start of the node, and response times.
    masks: ['.status-head p', '.status-times'],
  },
  { name: 'not-found', path: '/nothing-is-here', ready: 'h1' },
  ...SETTINGS_SECTIONS.map((section) => ({
    name: `settings-${section}`,
    path: `/settings#${section}`,
    as: 'alice',
    ready: MAIN,
  })),
  ...OPERATOR_SECTIONS.map(([section, masks = []]) => ({
    name: `operator-${section.replace('/', '-')}`,
    path: `/operator#${section}`,
    as: 'operator',
    ready: MAIN,
    masks,
  })),
  { name: 'operator-account', path: '/operator#accounts/alice', as: 'operator', ready: MAIN },
];
