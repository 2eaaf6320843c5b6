import { useSignal } from '@preact/signals';
import type { FeeTier } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Action, useAction } from '../components/action.ts';
import { useIsChanged } from '../components/changed.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { parseNumber, parsePercent, toPercentText } from '../components/typed-number.ts';
import { compact, rate } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { type Change, listChanges, reviewChanges } from './change-review.tsx';
import { FeePrograms } from './fee-programs.tsx';

export function FeesSection() {
  const markets = useResource(() => api.listAdminMarkets());
  const tiers = useResource(async () => ({
    table: await api.getFeeTiers(),
    assets: (await api.listKnownAssets()).assets.map(({ asset }) => asset),
  }));
  return (
    <>
      <Panel
        title={t('Market fees')}
        class="market-fees"
        lead={t('Fees of accounts without a tier. They are part of the market rules.')}
        aside={
          <a class="button" href="#markets">
            {t('Edit in Markets')}
          </a>
        }
        flush
      >
        <Loaded resource={markets}>
          {(data) => (
            <Table
              caption={t('Market fees')}
              columns={[
                { key: 'symbol', title: msg('Market'), cell: ({ symbol }) => <b>{symbol}</b> },
                {
                  key: 'maker',
                  title: msg('Maker'),
                  numeric: true,
                  cell: (row) => rate(row.makerFee),
                },
                {
                  key: 'taker',
                  title: msg('Taker'),
                  numeric: true,
                  cell: (row) => rate(row.takerFee),
                },
                {
                  key: 'volume',
                  title: msg('24h volume'),
                  numeric: true,
                  cell: ({ quoteVolume, quote }) => `${compact(quoteVolume)} ${quote}`,
                },
              ]}
              rows={data.markets}
              rowKey={({ symbol }) => symbol}
              empty={t('No markets listed yet.')}
            />
          )}
        </Loaded>
      </Panel>
      <Panel
        title={t('Fee tiers')}
        lead={t(
          'Based on 30-day volume in markets quoted in one asset. The lower of market and tier rate applies.',
        )}
      >
        <Loaded resource={tiers}>
          {({ table, assets }) => (
            <Tiers
              key={JSON.stringify(table)}
              tiers={table.tiers}
              asset={table.volumeAsset ?? assets.find((name) => name === 'USDT') ?? assets[0] ?? ''}
              assets={assets}
              onSaved={() => tiers.load()}
            />
          )}
        </Loaded>
      </Panel>
      <FeePrograms />
    </>
  );
}

interface TierTexts {
  readonly minVolume: string;
  readonly makerFee: string;
  readonly takerFee: string;
}

const COLUMNS = [
  ['minVolume', msg('Minimum volume')],
  ['makerFee', msg('Maker')],
  ['takerFee', msg('Taker')],
] as const;

interface TiersProps {
  readonly tiers: readonly FeeTier<string>[];
  readonly asset: string;
  readonly assets: readonly string[];
  readonly onSaved: () => Promise<void>;
}

function Tiers({ tiers, asset: present, assets, onSaved }: TiersProps) {
  const asset = useSignal(present);
  const rows = useSignal<readonly TierTexts[]>(tiers.map(tierTexts));
  const action = useAction();
  const isChanged = useIsChanged(asset.value, JSON.stringify(rows.value));
  const submit = async () => {
    const table = rows.value.map(({ minVolume, makerFee, takerFee }, row) => ({
      minVolume: parseNumber(minVolume, `minVolume-${row}`),
      makerFee: parsePercent(makerFee, `makerFee-${row}`),
      takerFee: parsePercent(takerFee, `takerFee-${row}`),
    }));
    const { value } = asset;
    const reason = await reviewChanges({
      title: t('Change the fee tiers'),
      changes: listTierChanges([present, tiers.map(tierTexts)], [value, rows.value]),
    });
    if (reason === undefined) return;
    await api.setFeeTiers({ asset: value, tiers: table, reason });
    announce(t('Fee tiers updated'), 'success');
    await onSaved();
  };
  const fields = rows.value.flatMap((_, row) => COLUMNS.map(([name]) => `${name}-${row}`));
  return (
    <Form action={action} onSubmit={submit} fields={fields}>
      <div class="narrow">
        <Select
          label={t('Volume asset')}
          value={asset.value}
          options={assets.map((name) => [name, name] as const)}
          onChange={(chosen) => {
            asset.value = chosen;
          }}
        />
      </div>
      {rows.value.length === 0 ? (
        <p class="muted">{t('No fee tiers. All accounts pay the market fees.')}</p>
      ) : null}
      {rows.value.map((row, index) => (
        <TierFields
          key={index}
          row={row}
          index={index}
          asset={asset.value}
          action={action}
          onInput={(name, text) => {
            rows.value = rows.value.with(index, { ...row, [name]: text });
          }}
          onRemove={() => {
            rows.value = rows.value.toSpliced(index, 1);
          }}
        />
      ))}
      <div class="buttons">
        <button
          type="button"
          class="button"
          onClick={() => {
            rows.value = [...rows.value, { minVolume: '', makerFee: '', takerFee: '' }];
          }}
        >
          {t('Add tier')}
        </button>
        <Submit action={action} label={t('Apply')} disabled={!isChanged} />
      </div>
    </Form>
  );
}

interface TierFieldsProps {
  readonly row: TierTexts;
  readonly index: number;
  readonly asset: string;
  readonly action: Action;
  readonly onInput: (name: keyof TierTexts, text: string) => void;
  readonly onRemove: () => void;
}

function TierFields({ row, index, asset, action, onInput, onRemove }: TierFieldsProps) {
  return (
    <fieldset class="tier">
      <legend>{t('Tier {number}', { number: index + 1 })}</legend>
      {COLUMNS.map(([name, label]) => (
        <Field
          key={name}
          label={t(label)}
          unit={name === 'minVolume' ? asset : '%'}
          value={row[name]}
          onInput={(text) => onInput(name, text)}
          error={action.fieldError(`${name}-${index}`)}
          input={{ name: `${name}-${index}`, inputMode: 'decimal' }}
        />
      ))}
      <button type="button" class="button small" onClick={onRemove}>
        {t('Remove')}
        <span class="visually-hidden"> {t('tier {number}', { number: index + 1 })}</span>
      </button>
    </fieldset>
  );
}

type TierTable = readonly [asset: string, tiers: readonly TierTexts[]];

function listTierChanges(
  [asset, tiers]: TierTable,
  [newAsset, newTiers]: TierTable,
): readonly Change[] {
  const text = (tier: TierTexts | undefined, unit: string) =>
    tier === undefined
      ? ''
      : t('from {volume} {asset}: maker {maker} %, taker {taker} %', {
          volume: tier.minVolume,
          asset: unit,
          maker: tier.makerFee,
          taker: tier.takerFee,
        });
  const count = Math.max(tiers.length, newTiers.length);
  return listChanges(
    Array.from({ length: count }, (_, index) => [
      t('Tier {number}', { number: index + 1 }),
      text(tiers[index], asset),
      text(newTiers[index], newAsset),
    ]),
  );
}

function tierTexts({ minVolume, makerFee, takerFee }: FeeTier<string>): TierTexts {
  return {
    minVolume,
    makerFee: toPercentText(makerFee),
    takerFee: toPercentText(takerFee),
  };
}
