import type { ComponentChildren } from 'preact';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useResource } from '../components/resource.ts';
import { capitalize, compact, dateTime, grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { accountPath } from './account-path.ts';
import { tierText } from './fee-tier.ts';
import { readValues, valueText } from './values.ts';

interface AccountHeadProps {
  readonly account: Account<string>;
  readonly actions: ComponentChildren;
}

/** The owner of an account, its status, its value and its terms, above all tabs. */
export function AccountHead({ account, actions }: AccountHeadProps) {
  const { accountId, main, name, frozen, limitClass, feeTier, volume, referrer, openOrders } =
    account;
  const owners = useResource(async () => (await api.listUsers({ id: main ?? accountId })).users);
  const seen = useResource(() => readLastSeen(main ?? accountId));
  const value = useResource(() => readValue(accountId));
  const tiers = useResource(() => api.getFeeTiers()).data.value;
  const owner = owners.data.value?.[0];
  const further = (owners.data.value?.length ?? 0) - 1;
  return (
    <section class="panel account-head">
      <header>
        <div class="panel-title">
          <h2>
            {owner?.name ?? accountId}{' '}
            <span class={`badge ${frozen ? 'off' : 'on'}`}>
              {frozen ? t('Frozen') : t('Active')}
            </span>
          </h2>
          <p class="muted">
            {[owner?.email, accountId].filter(Boolean).join(' · ')}
            {further > 0 ? ` · ${t('{count} more users', { count: further })}` : ''}
            {frozen ? ` · ${t('cannot place, amend or cancel orders')}` : ''}
          </p>
        </div>
        {actions}
      </header>
      <dl class="figures">
        <Figure name={t('Value')}>{value.data.value ?? '–'}</Figure>
        <Figure name={t('Open orders')}>{grouped(`${openOrders}`)}</Figure>
        <Figure name={t('Permissions')}>
          {owner === undefined ? '–' : capitalize(owner.permissions.join(', '))}
        </Figure>
        <Figure name={t('Last seen')}>
          {seen.data.value == null ? '–' : dateTime(seen.data.value)}
        </Figure>
        <Figure name={t('Two-factor authentication')}>
          {owner === undefined ? '–' : <SecondFactor isOn={owner.secondFactor} />}
        </Figure>
        <Figure name={t('Fee tier')}>
          {tiers === undefined ? '–' : tierText(feeTier, tiers.tiers.length > 0)}
        </Figure>
        {volume === null || tiers === undefined ? null : (
          <Figure name={t('30-day volume')}>{`${compact(volume)} ${tiers.volumeAsset}`}</Figure>
        )}
        <Figure name={t('Rate-limit multiplier')}>×{limitClass}</Figure>
        <Figure name={t('Referred by')}>{referrer ?? t('No one')}</Figure>
        <Figure name={t('Created')}>{dateTime(account.createdAt)}</Figure>
        {main === null ? null : (
          <Figure name={t('Main account')}>
            <a href={accountPath(main)}>{main}</a>
          </Figure>
        )}
        {name === null ? null : <Figure name={t('Name')}>{name}</Figure>}
      </dl>
    </section>
  );
}

function SecondFactor({ isOn }: { isOn: boolean }) {
  return <span class={`badge ${isOn ? 'on' : 'wait'}`}>{isOn ? t('On') : t('Off')}</span>;
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Returns the value of all balances; assets without a price count as nothing. */
async function readValue(id: string): Promise<string> {
  const [{ balances }, values] = await Promise.all([api.getAccountBalances({ id }), readValues()]);
  return valueText(values.sum(balances), values.quote);
}

/** Returns when the users of a main account last used a session; null if never. */
async function readLastSeen(id: string): Promise<string | null> {
  const { owners } = await api.listAccounts({ search: id });
  const times = owners
    .filter(({ accountId }) => accountId === id)
    .map((each) => each.lastSeenAt ?? '');
  return times.sort().at(-1) || null;
}
