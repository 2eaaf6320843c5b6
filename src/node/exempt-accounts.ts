import type { Config } from '../config/config.ts';
import { MAKER_ACCOUNTS } from '../sandbox/makers/market-makers.ts';

/**
 * Returns the ids of accounts that may trade with each other. Those of the sandbox's market makers are reserved in every
 * sandbox, so that its alerts follow from its log.
 */
export function exemptAccounts({
  isSandbox,
  surveillanceExempt,
}: Pick<Config, 'isSandbox' | 'surveillanceExempt'>): readonly string[] {
  return isSandbox ? [...MAKER_ACCOUNTS, ...surveillanceExempt] : surveillanceExempt;
}
