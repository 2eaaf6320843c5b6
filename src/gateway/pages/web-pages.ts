/** A page for people: made in the browser by `web/pages/<entry>.tsx`, its style sheet imported there. */
export interface WebPage {
  /** Its name in web/pages, without the ending. */
  readonly entry: string;
  readonly title: string;
  readonly paths: readonly string[];
}

/** Every page that is built from web/. */
export const WEB_PAGES: readonly WebPage[] = [
  { entry: 'trade', title: 'Trade', paths: ['/trade', '/trade/:market'] },
  { entry: 'portfolio', title: 'Portfolio', paths: ['/portfolio'] },
  { entry: 'sign-up', title: 'Create an account', paths: ['/sign-up'] },
  { entry: 'sign-in', title: 'Sign in', paths: ['/sign-in'] },
  { entry: 'verify-email', title: 'Confirm your e-mail address', paths: ['/verify-email'] },
  { entry: 'forgot-password', title: 'Choose a new password', paths: ['/forgot-password'] },
  { entry: 'reset-password', title: 'Choose a new password', paths: ['/reset-password'] },
  { entry: 'settings', title: 'Settings', paths: ['/settings'] },
  { entry: 'operator', title: 'Operator', paths: ['/operator'] },
];
