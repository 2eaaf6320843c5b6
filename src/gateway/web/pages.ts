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
];
