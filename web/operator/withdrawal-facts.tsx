import Big from 'big.js';
import type { User, Withdrawal, WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { duration, networkName } from '../custody/networks.ts';
import { dateTime, grouped, rounded } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { readExchangeTime } from './exchange-time.ts';
import { AccountLink } from './payment-columns.tsx';
import { readValues, valueText } from './values.ts';

/** Withdrawals that are searched for earlier ones to the same address. */
const MAX_SEARCHED = 100;

export interface Circumstances {
  readonly users: readonly User[];
  readonly value: string;
  /** Share of the account's value in percent; undefined if a price is missing. */
  readonly percent: Big | undefined;
  /** The entry of the address book; undefined if it was removed. */
  readonly address: WithdrawalAddress | undefined;
  /** Completed withdrawals to the same address among the newest ones of the account. */
  readonly earlier: number;
  /** The time of the first of them; undefined if there are none. */
  readonly firstUsed: string | undefined;
  /** The exchange's time. */
  readonly now: number;
}

/** Everything that an operator should know about a withdrawal before it is approved. */
export function WithdrawalFacts({ withdrawal: each }: { withdrawal: Withdrawal<string> }) {
  const found = useResource(() => readCircumstances(each));
  return (
    <Loaded resource={found}>
      {({ users, value, percent, address, earlier, now }) => (
        <Facts
          facts={[
            [msg('Withdrawal'), each.id],
            [msg('Account'), <AccountLink account={each.account} />],
            [msg('Owner'), users.map(({ name, email }) => `${name} (${email})`).join(', ') || '–'],
            [msg('Two-factor authentication'), <SecondFactor users={users} />],
            [msg('Amount'), `${grouped(each.amount)} ${each.asset} (${value})`],
            [msg('Fee'), `${grouped(each.fee)} ${each.asset}`],
            [msg('Share of the account'), percent === undefined ? '–' : `${rounded(percent, 1)} %`],
            [msg('Network'), networkName(each.network)],
            [msg('Address'), <span class="mono wrapped">{each.address}</span>],
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
              earlier === 0 ? (
                <span class="badge off">{t('None')}</span>
              ) : (
                t('{count} completed', { count: earlier })
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
  return <span class={`badge ${isOn ? 'on' : 'off'}`}>{isOn ? t('On') : t('Off')}</span>;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns how long ago a time was, in its largest unit: `3 hours ago`. */
export function ageText(time: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(time));
  const unit = [DAY_MS, HOUR_MS, MINUTE_MS].find((each) => ms >= each) ?? SECOND_MS;
  return t('{age} ago', { age: duration(Math.floor(ms / unit) * unit) });
}

/** Returns whether an address is so new that operators should look twice. */
export function isNewAddress(address: WithdrawalAddress, now: number): boolean {
  return now - Date.parse(address.createdAt) < DAY_MS;
}

/** Returns whether all users of an account have two-factor authentication. */
export function haveSecondFactor(users: readonly User[]): boolean {
  return users.length > 0 && users.every(({ secondFactor }) => secondFactor);
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

export async function readCircumstances(each: Withdrawal<string>): Promise<Circumstances> {
  const id = each.account;
  const { account } = await api.getAccount({ id });
  const [{ users }, { balances }, values, { addresses }, earlier, now] = await Promise.all([
    api.listUsers({ id: account.main ?? id }),
    api.getAccountBalances({ id }),
    readValues(),
    api.listAccountWithdrawalAddresses({ id }),
    readEarlier(each),
    readExchangeTime(),
  ]);
  const value = values.find(each.amount, each.asset);
  const total = values.sum(balances);
  return {
    ...{
      users,
      now,
      earlier: earlier.length,
      firstUsed: earlier.map(({ createdAt }) => createdAt).sort()[0],
    },
    value: valueText(value, values.quote),
    percent: value === undefined || total.eq(0) ? undefined : value.div(total).times(new Big(100)),
    address: addresses.find((other) => isSameRecipient(other, each)),
  };
}

/** Returns the completed withdrawals to the same address among the newest ones of the account. */
async function readEarlier(each: Withdrawal<string>): Promise<readonly Withdrawal<string>[]> {
  const { withdrawals } = await api.listAllWithdrawals({
    ...{ account: each.account, withdrawalStatus: 'confirmed', limit: MAX_SEARCHED },
  });
  return withdrawals.filter((other) => isSameRecipient(other, each));
}

type Recipient = Pick<WithdrawalAddress, 'asset' | 'network' | 'address' | 'memo'>;

function isSameRecipient(one: Recipient, other: Recipient): boolean {
  return (
    one.asset === other.asset &&
    one.network === other.network &&
    one.address === other.address &&
    one.memo === other.memo
  );
}
