import { computed, signal } from '@preact/signals';
import type { GroupAccount } from '../src/client/index.ts';
import { t } from './i18n/t.ts';

/**
 * The account that this page is for. It is fixed when the page loads, and every request and socket names it: another tab
 * that selects an account, or signs in as another user, never changes what this one shows and trades.
 */

const STORAGE_KEY = 'buttonwood-account';

/** The accounts of the user, the main account first; empty until loaded. */
export const group = signal<readonly GroupAccount<string>[]>([]);
/** The accounts of the user that are not closed. */
export const openAccounts = computed(() => group.value.filter(({ closed }) => !closed));
const selected = signal<string | undefined>(undefined);

/** Returns the id of the account of this page; undefined until the profile is loaded. */
export const selectedId = () => selected.value;

/** The account of this page; undefined until loaded. */
export const selectedAccount = computed(() =>
  group.value.find(({ accountId }) => accountId === selected.value),
);

/** Whether this page is for a sub-account. */
export const isSubAccount = computed(() => selectedAccount.value?.isMain === false);

/**
 * Selects the account that this tab had before, else the last one that the user selected, else the main account, which
 * also replaces a closed one.
 * @param main Id of the main account.
 */
export async function restoreSelection(main: string, loadGroup: () => Promise<void>) {
  if (selected.value !== undefined) return;
  const wanted = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY) ?? main;
  // Users with one account, who are most, do not wait for the list.
  const loading = loadGroup();
  if (wanted !== main) await loading;
  else loading.catch(() => {});
  const isOpen = openAccounts.value.some(({ accountId }) => accountId === wanted);
  selected.value = isOpen ? wanted : main;
  sessionStorage.setItem(STORAGE_KEY, selected.value);
}

/** Selects an account for this tab and for new ones, and loads the page again for it. */
export function selectAccount(accountId: string): void {
  sessionStorage.setItem(STORAGE_KEY, accountId);
  localStorage.setItem(STORAGE_KEY, accountId);
  location.reload();
}

/** Returns the name of an account as the user knows it; the id of an account of others. */
export function accountName(accountId: string): string {
  const own = group.value.find((each) => each.accountId === accountId);
  if (own === undefined) return accountId;
  return own.name ?? t('Main account');
}

/** Number of colors. */
const TONES = 6;

/** Returns the class of the color of an account of the user; undefined for an account of others. */
export function accountTone(accountId: string): string | undefined {
  const index = group.value.findIndex((each) => each.accountId === accountId);
  if (index <= 0) return index === 0 ? 'main' : undefined;
  return `tone-${(index - 1) % TONES}`;
}
