import { useSignal } from '@preact/signals';
import type { WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { announce } from '../components/toast.tsx';
import { localNumber, parseNumber, plainNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { networkName, type ShownNetwork } from './networks.ts';

interface WithdrawFormProps {
  readonly networks: readonly ShownNetwork[];
  readonly entries: readonly WithdrawalAddress[];
  readonly onRequested: () => Promise<void>;
}

/** Asks for a withdrawal to an address of the address book. */
export function WithdrawForm({ networks, entries, onRequested }: WithdrawFormProps) {
  const addressId = useSignal('');
  if (networks.length === 0) return <p class="empty">{t('No asset can be withdrawn yet.')}</p>;
  if (entries.length === 0) {
    return <p class="empty">{t('Add an address to your address book below to withdraw to it.')}</p>;
  }
  const entry = entries.find(({ id }) => id === addressId.value) ?? entries[0]!;
  const network = networks.find(
    (each) => each.asset === entry.asset && each.network === entry.network,
  )!;
  return (
    <div class="stack narrow">
      <Select
        label={t('Address')}
        value={entry.id}
        options={entries.map((each) => [each.id, describeEntry(each)] as const)}
        onChange={(id) => {
          addressId.value = id;
        }}
      />
      <Amount key={entry.id} entry={entry} network={network} onRequested={onRequested} />
    </div>
  );
}

function describeEntry({ asset, network, address, memo }: WithdrawalAddress): string {
  const memoText = memo === null ? '' : `, memo ${memo}`;
  return `${asset} on ${networkName(network)}: ${address}${memoText}`;
}

interface AmountProps {
  readonly entry: WithdrawalAddress;
  readonly network: ShownNetwork;
  readonly onRequested: () => Promise<void>;
}

const FIELDS = ['amount', 'password', 'code'];

function Amount({ entry, network, onRequested }: AmountProps) {
  const { asset } = network;
  const amount = useSignal('');
  const proof = useSignal('');
  // One id per filled-in form: sending it again after a lost response does not withdraw twice.
  const clientId = useSignal(crypto.randomUUID());
  const action = useAction();
  const balance = useAvailable(asset);
  const submit = async () => {
    const value = parseNumber(amount.value, 'amount');
    if (proof.value === '') throw new FieldError(proofField(), t("Confirm it's you."));
    await withConfirmation(
      () =>
        api.requestWithdrawal({
          ...{ addressId: entry.id, amount: value, clientId: clientId.value },
          ...toConfirmation(proof.value),
        }),
      proofField(),
    );
    clientId.value = crypto.randomUUID();
    amount.value = '';
    proof.value = '';
    announce(t('Withdrawal requested'), 'success');
    await Promise.all([onRequested(), balance.load()]);
  };
  const obstacle = findObstacle(entry, network);
  if (obstacle !== undefined) return <Notice kind="warning">{obstacle}</Notice>;
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <Field
        label={t('Amount')}
        unit={asset}
        {...bound(amount)}
        hint={t('Available: {amount} {asset}', {
          amount: balance.data.value === undefined ? '…' : grouped(balance.data.value),
          asset,
        })}
        error={action.fieldError('amount')}
        aside={
          <button
            type="button"
            class="button small"
            disabled={balance.data.value === undefined}
            onClick={() => (amount.value = localNumber(maximum(balance.data.value!, network)))}
          >
            {t('Max')}
          </button>
        }
        input={{ name: 'amount', inputMode: 'decimal', required: true }}
      />
      <Costs amount={amount.value} network={network} />
      <ConfirmationField {...bound(proof)} error={action.fieldError('password', 'code')} />
      <div>
        <Submit action={action} label={t('Withdraw')} />
      </div>
    </Form>
  );
}

const proofField = () => (profile.value?.secondFactor ? 'code' : 'password');

function useAvailable(asset: string) {
  return useResource(async () => {
    const { balances } = await api.getBalances();
    return balances.find((each) => each.asset === asset)?.available ?? '0';
  });
}

/** Returns the largest amount that leaves enough for the fee, rounded down to the network's decimals. */
function maximum(available: string, { withdrawalFee, decimals }: ShownNetwork): string {
  const rest = decimal(available)!.minus(withdrawalFee);
  return rest.lte(0) ? '0' : rest.round(decimals, 0).toFixed();
}

function Costs({ amount, network }: { amount: string; network: ShownNetwork }) {
  const { asset, withdrawalFee: fee } = network;
  const value = decimal(plainNumber(amount));
  const sum = value === undefined ? '–' : `${grouped(value.plus(fee))} ${asset}`;
  const limit =
    network.dailyLimit === '0'
      ? t('None')
      : t('{amount} {asset} in 24 hours', { amount: grouped(network.dailyLimit), asset });
  return (
    <Facts
      facts={[
        [msg('You receive'), value === undefined ? '–' : `${grouped(value)} ${asset}`],
        [msg('Network fee'), `${grouped(fee)} ${asset}`],
        [msg('Total from your balance'), sum],
        [msg('Minimum'), `${grouped(network.minWithdrawal)} ${asset}`],
        [msg('Limit||withdrawals'), limit],
      ]}
    />
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
