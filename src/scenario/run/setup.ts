import { Client } from '../../client/index.ts';
import { FUNDS } from '../../config/sandbox-funds.ts';
import { SequentialClient } from '../bots/sequential-client.ts';
import type { ScenarioContent } from '../format/schema.ts';
import { SANDBOX_SYMBOLS } from '../scenario.ts';
import type { Performer } from './actions.ts';
import type { ScenarioExchange } from './exchange.ts';
import type { AccountReader } from './measurements.ts';

/** Scripted accounts act as often as the timeline says: the highest multiplier of rate limits. */
const SCRIPTED_LIMIT_CLASS = 1000;
/** Decimals of assets that the sandbox does not have. */
const ASSET_DECIMALS = 8;

/** An account of a scenario with its key. */
export interface ScenarioAccount extends AccountReader {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Client of the timeline's actions. */
  readonly actor: SequentialClient;
}

/** Lists the scenario's markets or changes their rules. @throws ApiRequestError if the exchange rejects one */
export async function setUpMarkets(
  { operator }: ScenarioExchange,
  { markets }: ScenarioContent,
): Promise<void> {
  const assets = new Set<string>(Object.keys(FUNDS));
  for (const [symbol, rules] of Object.entries(markets)) {
    if (SANDBOX_SYMBOLS.some((each) => each === symbol)) {
      await operator.changeMarket({ symbol, ...rules });
      continue;
    }
    for (const asset of symbol.split('/')) {
      if (assets.has(asset)) continue;
      assets.add(asset);
      await operator.createAsset({ asset, name: asset, decimals: ASSET_DECIMALS });
    }
    // The reader of scenarios has checked that the required rules are there.
    await operator.listMarket({ symbol, ...rules } as Parameters<typeof operator.listMarket>[0]);
  }
}

/** Opens the scenario's accounts, with a key each and the funds that they begin with. */
export async function setUpAccounts(
  { operator, baseUrl }: ScenarioExchange,
  { accounts, bot }: ScenarioContent,
): Promise<Map<string, ScenarioAccount>> {
  const opened = new Map<string, ScenarioAccount>();
  for (const accountId of Object.keys(accounts)) {
    const limitClass = accountId === bot.account ? 1 : SCRIPTED_LIMIT_CLASS;
    await operator.createAccount({ accountId, limitClass });
    const permissions = ['read', 'trade'] as const;
    const created = await operator.createKey({ id: accountId, permissions });
    const { apiKey } = created.key;
    const apiSecret = created.apiSecret!;
    const options = { baseUrl, apiKey, apiSecret };
    opened.set(accountId, {
      accountId,
      apiKey,
      apiSecret,
      client: new Client<true>({ ...options, exactNumbers: true, retries: 0 }),
      actor: new SequentialClient(options, `${accountId}-script`),
    });
  }
  return opened;
}

/** Credits the accounts with their funds. */
export async function fundAccounts(
  performer: Performer,
  { accounts }: ScenarioContent,
): Promise<void> {
  for (const [account, funds] of Object.entries(accounts)) {
    for (const [asset, amount] of Object.entries(funds)) {
      if (Number(amount) !== 0) await performer.transfer({ account, asset, amount });
    }
  }
}
