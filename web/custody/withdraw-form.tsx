import { useSignal } from '@preact/signals';
import type { Withdrawal, WithdrawalAddress, WithdrawalLimit } from '../../src/client/index.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/panel.tsx';
import { localNumber, parseNumber, plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { Amount as Balance } from '../portfolio/amount.tsx';
import {
  describeAsset,
  findUnavailable,
  networkName,
  type ShownNetwork,
  wantedAsset,
} from './networks.ts';
import { COMPARED, shorten } from './status.tsx';
import { checkAmount, maximum, useMeans, valueText } from './withdrawal-means.ts';
import { WithdrawalReview } from './withdrawal-review.tsx';

interface WithdrawFormProps {
  readonly networks: readonly ShownNetwork[];
  readonly entries: readonly WithdrawalAddress[];
  /** Withdrawals of the account so far; undefined until they have loaded. */
  readonly withdrawals: readonly Withdrawal<string>[] | undefined;
  readonly onRequested: () => Promise<void>;
}

/** Asks for a withdrawal of an asset to an address of the address book. */
export function WithdrawForm({ networks, entries, withdrawals, onRequested }: WithdrawFormProps) {
  const chosenAsset = useSignal(wantedAsset());
  const addressId = useSignal('');
  if (networks.length === 0) return <p class="empty">{t('No asset can be withdrawn yet.')}</p>;
  const assets = [...new Set(networks.map(({ asset }) => asset))];
  const asset =
    assets.find((each) => each === chosenAsset.value) ?? entries[0]?.asset ?? assets[0]!;
  const unavailable = findUnavailable(networks);
  const own = entries.filter((each) => each.asset === asset);
  const entry = own.find(({ id }) => id === addressId.value) ?? own[0];
  return (
    <div class="stack narrow withdraw-form short-facts">
      {unavailable === undefined || chosenAsset.value !== unavailable ? null : (
        <Notice kind="warning">
          {t('{asset} cannot be withdrawn yet. Choose another asset.', { asset: unavailable })}
        </Notice>
      )}
      <Select
        label={t('Asset')}
        value={asset}
        options={assets.map((each) => [each, describeAsset(each)] as const)}
        onChange={(chosen) => {
          chosenAsset.value = chosen;
        }}
      />
      {entry === undefined ? (
        <p class="muted">
          {t('Add an address for {asset} to your address book below to withdraw to it.', { asset })}
        </p>
      ) : (
        <>
          <Select
            label={t('Address')}
            value={entry.id}
            options={own.map((each) => [each.id, describeEntry(each)] as const)}
            onChange={(id) => {
              addressId.value = id;
            }}
          />
          <Amount
            key={entry.id}
            entry={entry}
            network={
              networks.find((each) => each.asset === asset && each.network === entry.network)!
            }
            withdrawals={withdrawals}
            onRequested={onRequested}
          />
        </>
      )}
    </div>
  );
}

/** Returns the name of an entry first, if it has one, and its address: `Ledger · bc1qar…wf5mdq · Bitcoin`. */
function describeEntry({ label, network, address, memo }: WithdrawalAddress): string {
  const memoText = memo === null ? [] : [t('memo {memo}', { memo })];
  const name = label === null ? [] : [label];
  return [...name, shorten(address, COMPARED), networkName(network), ...memoText].join(' · ');
}

interface AmountProps extends Pick<WithdrawFormProps, 'withdrawals' | 'onRequested'> {
  readonly entry: WithdrawalAddress;
  readonly network: ShownNetwork;
}

function Amount({ entry, network, withdrawals, onRequested }: AmountProps) {
  const { asset } = network;
  const amount = useSignal('');
  const reviewed = useSignal<string | undefined>(undefined);
  // One id per filled-in form: sending it again after a lost response does not withdraw twice.
  const clientId = useSignal(crypto.randomUUID());
  const action = useAction();
  const means = useMeans(network, withdrawals);
  const { available, limit } = means.data.value ?? {};
  const review = async () => {
    const value = parseNumber(amount.value, 'amount');
    checkAmount(value, means.data.value, network);
    reviewed.value = value;
  };
  const value = decimal(plainNumber(amount.value));
  const obstacle = findObstacle(entry, network);
  if (obstacle !== undefined) return <Notice kind="warning">{obstacle}</Notice>;
  return (
    <>
      <Form action={action} onSubmit={review} fields={['amount']}>
        <Field
          label={t('Amount')}
          unit={asset}
          {...bound(amount)}
          hint={
            <span class="amount-hint">
              <span>
                <T
                  text="Available: {amount} {asset}"
                  amount={
                    available === undefined ? '…' : <Balance asset={asset} amount={available} />
                  }
                  asset={asset}
                />
              </span>
              {value === undefined ? null : <span>{valueText(value, asset)}</span>}
            </span>
          }
          error={action.fieldError('amount')}
          aside={
            <button
              type="button"
              class="button small"
              disabled={available === undefined}
              onClick={() => (amount.value = localNumber(maximum(means.data.value!, network)))}
            >
              {t('Max')}
            </button>
          }
          input={{ name: 'amount', inputMode: 'decimal', required: true }}
        />
        <Costs amount={amount.value} network={network} limit={limit} />
        <div>
          <Submit action={action} label={t('Review withdrawal')} class="phone-wide" />
        </div>
      </Form>
      <WithdrawalReview
        entry={entry}
        network={network}
        amount={reviewed.value}
        clientId={clientId.value}
        onClose={() => (reviewed.value = undefined)}
        onRequested={async () => {
          reviewed.value = undefined;
          clientId.value = crypto.randomUUID();
          amount.value = '';
          await Promise.all([onRequested(), means.load()]);
        }}
      />
    </>
  );
}

interface CostsProps {
  readonly amount: string;
  readonly network: ShownNetwork;
  readonly limit: WithdrawalLimit<string> | undefined;
}

function Costs({ amount, network, limit }: CostsProps) {
  const { asset, withdrawalFee: fee } = network;
  const value = decimal(plainNumber(amount));
  const sum = value === undefined ? '–' : `${grouped(value.plus(fee))} ${asset}`;
  return (
    <Facts
      facts={[
        [msg('Network fee'), `${grouped(fee)} ${asset}`],
        [msg('Total from your balance'), sum],
        [msg('Minimum'), `${grouped(network.minWithdrawal)} ${asset}`],
        [msg('24-hour limit'), <Limit key="limit" network={network} limit={limit} />],
      ]}
    />
  );
}

/** The daily limit as text, and as a bar that fills with what was used. */
function Limit({ network, limit }: Pick<CostsProps, 'network' | 'limit'>) {
  const { asset, dailyLimit } = network;
  if (dailyLimit === '0') return <>{t('None')}</>;
  const most = grouped(limit?.dailyLimit ?? dailyLimit);
  if (limit === undefined) return <>{`${most} ${asset}`}</>;
  return (
    <span class="limit-left">
      <span>
        {t('{used} of {most} {asset} used, {remaining} left', {
          used: grouped(limit.used),
          remaining: grouped(limit.remaining),
          ...{ most, asset },
        })}
      </span>
      <progress
        value={Number(limit.used)}
        max={Number(limit.dailyLimit)}
        aria-label={t('Used in 24 hours')}
      />
    </span>
  );
}

function findObstacle(
  { usableAt }: WithdrawalAddress,
  { asset, network, withdrawals }: ShownNetwork,
): string | undefined {
  if (!withdrawals) {
    return t('Withdrawals of {asset} on {name} are suspended for now.', {
      asset,
      name: networkName(network),
    });
  }
  // The exchange decides; a clock that is off only changes this hint.
  if (Date.parse(usableAt) > Date.now()) {
    return t('This address is new. Withdrawals to it are possible from {time} on.', {
      time: dateTime(usableAt),
    });
  }
  return undefined;
}
