import type Big from 'big.js';
import type { ComponentChildren } from 'preact';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { StatusBadge } from '../components/account-status.tsx';
import { useResource } from '../components/resource.ts';
import { dateTime, grouped, rounded } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { isNarrow } from '../viewport.ts';
import { Flags } from './account-flags.tsx';
import { accountPath } from './account-path.ts';
import type { Signals } from './account-signals.ts';
import { ShortValue } from './amount.tsx';
import { ratesText, tierText } from './fee-tier.ts';
import { findRole, type Owner, ROLE_NAMES, summarizeOwners } from './owner.ts';
import { useRecordTitle } from './record-title.ts';
import { SecondFactorBadge } from './second-factor-badge.tsx';
import { readValues } from './values.ts';

interface AccountHeadProps {
  readonly account: Account<string>;
  readonly signals: Signals;
  readonly actions: ComponentChildren;
}

/** The owner of an account, its status, its value and its terms, above all tabs. Twelve facts fill each grid. */
export function AccountHead({ account, signals, actions }: AccountHeadProps) {
  const { accountId, main, name, frozen, limitClass, volume, referrer, openOrders } = account;
  const owner = useResource(() => readOwner(main ?? accountId)).data.value;
  const value = useResource(() => readValue(accountId)).data.value;
  const schedule = useResource(() => api.getFeeSchedule()).data.value;
  const further = (owner?.users ?? 1) - 1;
  // Until the owner is known the title is the id.
  useRecordTitle(owner === undefined ? undefined : (name ?? owner?.name ?? accountId));
  const rare = (
    <>
      <Figure name={t('30-day volume')}>
        {volume === null || schedule === undefined ? (
          '–'
        ) : (
          <span class="one-line">{`${rounded(volume, 2)} ${schedule.volumeAsset}`}</span>
        )}
      </Figure>
      <Figure name={t('Rate-limit multiplier')}>×{limitClass}</Figure>
      <Figure name={t('Referred by')}>{referrer ?? t('No one')}</Figure>
      <Figure name={t('Created')}>{dateTime(account.createdAt)}</Figure>
    </>
  );
  return (
    <section class="panel account-head">
      <header>
        <div class="panel-title">
          <h2>
            {t('Account {account}', { account: accountId })} <StatusBadge account={account} />
            <Flags signals={signals} surveillanceExempt={account.surveillanceExempt} hasLinks />
          </h2>
          <p class="muted">
            {[name === null ? '' : owner?.name, owner?.email ?? t('No users')]
              .filter(Boolean)
              .join(' · ')}
            {further > 0
              ? ` · ${t('{count, plural, one {# more user} other {# more users}}', { count: further })}`
              : ''}
            {frozen ? ` · ${t('cannot place, amend or cancel orders')}` : ''}
          </p>
        </div>
        {actions}
      </header>
      <dl class="figures">
        <Figure name={t('Value')}>{value === undefined ? '–' : <ShortValue {...value} />}</Figure>
        <Figure name={t('Open orders')}>{grouped(`${openOrders}`)}</Figure>
        <Figure name={t('Role')}>
          {owner == null ? (
            '–'
          ) : (
            <>
              {t(ROLE_NAMES[findRole(owner)])}{' '}
              <small class="muted">{owner.permissions.join(', ')}</small>
            </>
          )}
        </Figure>
        <Figure name={t('Type')}>
          {main === null ? (
            t('Main account')
          ) : (
            <T
              text="Sub-account of <a>{account}</a>"
              account={main}
              a={(content) => <a href={accountPath(main)}>{content}</a>}
            />
          )}
        </Figure>
        <Figure name={t('Last seen')}>
          {owner?.lastSeenAt == null ? '–' : dateTime(owner.lastSeenAt)}
        </Figure>
        <Figure name={t('2FA')}>{owner == null ? '–' : <SecondFactor of={owner} />}</Figure>
        <Figure name={t('Fee tier')}>
          {schedule === undefined ? '–' : tierText(account, schedule.tiers.length > 0)}
        </Figure>
        <Figure name={t('Maker / taker')}>
          {schedule === undefined ? '–' : ratesText(account, schedule)}
        </Figure>
        {isNarrow.value ? null : rare}
      </dl>
      {isNarrow.value ? (
        <details class="filter-box">
          <summary>{t('More')}</summary>
          <dl class="figures">{rare}</dl>
        </details>
      ) : null}
    </section>
  );
}

function SecondFactor({ of: { secondFactor, users, withoutSecondFactor } }: { of: Owner }) {
  return (
    <>
      <SecondFactorBadge isOn={secondFactor} />{' '}
      {withoutSecondFactor > 0 && users > 1 ? (
        <small class="muted">
          {t('for {count} of {users} users', { count: withoutSecondFactor, users })}
        </small>
      ) : null}
    </>
  );
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
async function readValue(id: string): Promise<{ readonly value: Big; readonly quote: string }> {
  const [{ balances }, values] = await Promise.all([api.getAccountBalances({ id }), readValues()]);
  return { value: values.sum(balances), quote: values.quote };
}

/** Returns the users of a main account together; null if it has none. */
async function readOwner(id: string): Promise<Owner | null> {
  const { owners } = await api.listAccounts({ search: id });
  return summarizeOwners(owners.filter(({ accountId }) => accountId === id)) ?? null;
}
