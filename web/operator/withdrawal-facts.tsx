import Big from 'big.js';
import type { User, Withdrawal, WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { GroupedAddress } from '../custody/grouped-address.tsx';
import { networkName } from '../custody/networks.ts';
import { dateTime, grouped, rounded } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import {
  type EarlierWithdrawals,
  findEarlier,
  isSameRecipient,
  PAGE_SIZE,
} from './earlier-withdrawals.ts';
import { readExchangeTime } from './exchange-time.ts';
import { PaymentsLink } from './payment-columns.tsx';
import { readValues, type Values, valueText } from './values.ts';
import {
  ageText,
  type Circumstances,
  haveSecondFactor,
  isNewAddress,
  noneOfNewest,
} from './withdrawal-findings.ts';

/** Everything that an operator should know about a withdrawal before it is approved. */
export function WithdrawalFacts({ withdrawal: each }: { withdrawal: Withdrawal<string> }) {
  const found = useResource(async () => readCircumstances(each, await readPresent()));
  return (
    <Loaded resource={found}>
      {({ users, value, percent, address, earlier, now }) => (
        <Facts
          facts={[
            [msg('Withdrawal'), each.id],
            [msg('Account'), <PaymentsLink account={each.account} />],
            [msg('Owner'), users.map(({ name, email }) => `${name} (${email})`).join(', ') || '–'],
            [msg('Two-factor authentication'), <SecondFactor users={users} />],
            [msg('Amount'), `${grouped(each.amount)} ${each.asset} (${value})`],
            [msg('Fee'), `${grouped(each.fee)} ${each.asset}`],
            [msg('Share of the account'), percent === undefined ? '–' : `${rounded(percent, 1)}%`],
            [msg('Network'), networkName(each.network)],
            [msg('Address'), <GroupedAddress text={each.address} />],
            [msg('Memo'), each.memo ?? t('None')],
            [
              msg('Address added'),
              address === undefined ? (
                t('Not in the address book')
              ) : (
                <Age address={address} now={now} />
              ),
            ],
            [
              msg('Earlier withdrawals to it'),
              earlier.count === 0 ? (
                <span class="badge off">
                  {earlier.isComplete ? t('None') : noneOfNewest(earlier.searched)}
                </span>
              ) : (
                earlierText(earlier)
              ),
            ],
            [msg('Requested'), `${dateTime(each.createdAt)}, ${ageText(each.createdAt, now)}`],
            [
              msg('Device'),
              each.waitsUntil === null ? (
                t('Known')
              ) : (
                <span class="badge off">{t('New device')}</span>
              ),
            ],
            [msg('Approved by'), each.approvals.join(', ') || t('No one')],
          ]}
        />
      )}
    </Loaded>
  );
}

function SecondFactor({ users }: { users: readonly User[] }) {
  const isOn = haveSecondFactor(users);
  return <span class={`badge ${isOn ? 'on' : 'wait'}`}>{isOn ? t('On') : t('Off')}</span>;
}

/** When an address was added, and how long ago in its largest unit. One of less than a day stands out. */
function Age({ address, now }: { address: WithdrawalAddress; now: number }) {
  const { createdAt } = address;
  const tone = isNewAddress(address, now) ? 'badge off' : 'muted';
  return (
    <>
      {dateTime(createdAt)} <span class={tone}>{ageText(createdAt, now)}</span>
    </>
  );
}

/** Prices and the time, which are the same for all withdrawals. */
interface Present {
  readonly values: Values;
  /** The exchange's time. */
  readonly now: number;
}

export async function readPresent(): Promise<Present> {
  const [values, now] = await Promise.all([readValues(), readExchangeTime()]);
  return { values, now };
}

export async function readCircumstances(
  each: Withdrawal<string>,
  { values, now }: Present,
): Promise<Circumstances> {
  const id = each.account;
  const { account } = await api.getAccount({ id });
  const [{ users }, { balances }, { addresses }, earlier] = await Promise.all([
    api.listUsers({ id: account.main ?? id }),
    api.getAccountBalances({ id }),
    api.listAccountWithdrawalAddresses({ id }),
    readEarlier(each),
  ]);
  const value = values.find(each.amount, each.asset);
  const total = values.sum(balances);
  return {
    ...{ users, now, earlier },
    value: valueText(value, values.quote),
    percent: value === undefined || total.eq(0) ? undefined : value.div(total).times(new Big(100)),
    address: addresses.find((other) => isSameRecipient(other, each)),
  };
}

function readEarlier(each: Withdrawal<string>): Promise<EarlierWithdrawals> {
  const { account, asset } = each;
  const wanted = { account, asset, withdrawalStatus: 'confirmed', limit: PAGE_SIZE } as const;
  return findEarlier(each, (cursor) => api.listAllWithdrawals({ ...wanted, cursor }));
}

function earlierText({ count, searched, isComplete }: EarlierWithdrawals): string {
  return isComplete
    ? t('{count} completed', { count })
    : t('{count} of the last {searched}', { count, searched });
}
