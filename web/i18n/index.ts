// Modules without elements import t.ts, so that tests outside a browser can import them.
export { T } from './rich-text.ts';
export { msg, t } from './t.ts';
