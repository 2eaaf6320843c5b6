import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { useIsChanged } from '../components/changed.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { GroupedNumberField, withSeparators } from '../components/grouped-number-field.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { announce } from '../components/toast.tsx';
import {
  localNumber,
  parseNumber,
  parsePercent,
  toPercentText,
} from '../components/typed-number.ts';
import { grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { listChanges, reviewChanges } from './change-review.tsx';

interface Discount {
  readonly asset: string;
  readonly minBalance: string;
  readonly rate: string;
}

/** Reads the discount of accounts that own an asset, and the share of referrers. */
export function useFeePrograms() {
  return useResource(async () => ({
    ...(await api.getFeePrograms()),
    assets: (await api.listKnownAssets()).assets.map(({ asset }) => asset),
  }));
}

interface ProgramsProps {
  readonly programs: ReturnType<typeof useFeePrograms>;
}

/** The discount of accounts that own an asset. */
export function FeeDiscount({ programs }: ProgramsProps) {
  return (
    <Panel
      title={t('Fee discount')}
      lead={t(
        'Accounts that hold the minimum balance of an asset pay less. Markets of that asset and maker rebates have no discount.',
      )}
    >
      <Loaded resource={programs}>
        {({ discount, assets }) => (
          <DiscountForm
            key={JSON.stringify(discount)}
            discount={discount}
            assets={assets}
            onSaved={() => programs.load()}
          />
        )}
      </Loaded>
    </Panel>
  );
}

/** The share of referrers. */
export function ReferralShare({ programs }: ProgramsProps) {
  return (
    <Panel
      title={t('Referral share')}
      lead={t(
        'Referrers receive this part of the fees of the accounts that they referred. Set a referrer in an account’s settings.',
      )}
    >
      <Loaded resource={programs}>
        {({ referralShare }) => (
          <ShareForm key={referralShare} share={referralShare} onSaved={() => programs.load()} />
        )}
      </Loaded>
    </Panel>
  );
}

interface DiscountFormProps {
  readonly discount: Discount | null;
  readonly assets: readonly string[];
  readonly onSaved: () => Promise<void>;
}

function DiscountForm({ discount, assets, onSaved }: DiscountFormProps) {
  const action = useAction();
  const asset = useSignal(discount?.asset ?? assets[0] ?? '');
  const minBalance = useSignal(localNumber(discount?.minBalance ?? ''));
  const percent = useSignal(discount === null ? '' : toPercentText(discount.rate));
  const isChanged = useIsChanged(asset.value, minBalance.value, percent.value);
  const submit = async () => {
    const terms = {
      asset: asset.value,
      minBalance: parseNumber(minBalance.value, 'minBalance'),
      rate: parsePercent(percent.value, 'rate'),
    };
    const reason = await reviewChanges({
      title: t('Change the fee discount'),
      changes: listChanges([
        [t('Asset'), discount?.asset ?? '', terms.asset],
        [
          t('Minimum balance'),
          discount === null ? '' : grouped(discount.minBalance),
          withSeparators(minBalance.value),
        ],
        [t('Discount'), discount === null ? '' : percentText(discount.rate), `${percent.value}%`],
      ]),
    });
    if (reason === undefined) return;
    await api.setFeeDiscount({ ...terms, reason });
    announce(terms.rate === '0' ? t('Fee discount removed') : t('Fee discount updated'), 'success');
    await onSaved();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['minBalance', 'rate']}>
      <div class="discount-fields">
        <Select
          label={t('Asset')}
          value={asset.value}
          options={assets.map((name) => [name, name] as const)}
          onChange={(chosen) => {
            asset.value = chosen;
          }}
        />
        <GroupedNumberField
          label={t('Minimum balance')}
          {...bound(minBalance)}
          unit={asset.value}
          error={action.fieldError('minBalance')}
          input={{ name: 'minBalance' }}
        />
        <Field
          label={t('Discount')}
          {...bound(percent)}
          unit="%"
          hint={t('0 removes the discount.')}
          error={action.fieldError('rate')}
          input={{ name: 'rate', inputMode: 'decimal' }}
        />
      </div>
      <div class="buttons">
        <Submit action={action} label={t('Apply discount')} disabled={!isChanged} />
      </div>
    </Form>
  );
}

const percentText = (rate: string) => `${toPercentText(rate)}%`;

function ShareForm({ share, onSaved }: { share: string; onSaved: () => Promise<void> }) {
  const action = useAction();
  const percent = useSignal(toPercentText(share));
  const isChanged = useIsChanged(percent.value);
  const submit = async () => {
    const value = parsePercent(percent.value, 'share');
    const reason = await reviewChanges({
      title: t('Change the referral share'),
      changes: listChanges([[t('Referral share'), percentText(share), `${percent.value}%`]]),
    });
    if (reason === undefined) return;
    await api.setReferralShare({ share: value, reason });
    announce(t('Referral share updated'), 'success');
    await onSaved();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['share']}>
      <Field
        label={t('Referral share')}
        {...bound(percent)}
        unit="%"
        error={action.fieldError('share')}
        input={{ name: 'share', inputMode: 'decimal' }}
      />
      <div class="buttons">
        <Submit action={action} label={t('Apply share')} disabled={!isChanged} />
      </div>
    </Form>
  );
}
