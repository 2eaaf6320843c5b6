import { msg, t } from '../i18n/index.ts';

const NAMES: Readonly<Record<string, string>> = {
  read: msg('Read'),
  trade: msg('Trade'),
  operate: msg('Operate'),
  withdraw: msg('Withdraw'),
  transfer: msg('Transfer'),
  support: msg('Support'),
  markets: msg('Markets'),
  treasury: msg('Treasury'),
  compliance: msg('Compliance'),
  audit: msg('Audit'),
};

/** Returns the name of a permission of the API in the user's language. */
export function permissionName(permission: string): string {
  return t(NAMES[permission] ?? permission);
}
