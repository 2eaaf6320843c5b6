import { useSignal } from '@preact/signals';
import type { FeeTier } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Action, useAction } from '../components/action.ts';
import { useIsChanged } from '../components/changed.ts';
import { Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import {
  FormattedNumberField,
  GroupedNumberField,
  withSeparators,
} from '../components/grouped-number-field.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import {
  localNumber,
  maxDecimals,
  padDecimals,
  parseNumber,
  parsePercent,
  toPercentText,
} from '../components/typed-number.ts';
import { compact, rate } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { type Change, listChanges, reviewChanges } from './change-review.tsx';
import { FeeDiscount, ReferralShare, useFeePrograms } from './fee-programs.tsx';

export function FeesSection() {
  const markets = useResource(() => api.listAdminMarkets());
  const tiers = useResource(async () => ({
    table: await api.getFeeTiers(),
    assets: (await api.listKnownAssets()).assets.map(({ asset }) => asset),
  }));
  const programs = useFeePrograms();
  return (
    <div class="fee-panels">
      <div>
        <Panel
          title={t('Fee tiers')}
          lead={t('An account pays the market rate or the rate of its tier, whichever is lower.')}
        >
          <Loaded resource={tiers}>
            {({ table, assets }) => (
              <Tiers
                key={JSON.stringify(table)}
                tiers={table.tiers}
                asset={
                  table.volumeAsset ?? assets.find((name) => name === 'USDT') ?? assets[0] ?? ''
                }
                assets={assets}
                onSaved={() => tiers.load()}
              />
            )}
          </Loaded>
        </Panel>
        <FeeDiscount programs={programs} />
      </div>
      <div>
        <Panel
          title={t('Market fees')}
          class="market-fees"
          lead={t('Rates without a tier.')}
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
                    key: 'fees',
                    title: msg('Maker / taker'),
                    numeric: true,
                    cell: ({ makerFee, takerFee }) => `${rate(makerFee)} / ${rate(takerFee)}`,
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
        <ReferralShare programs={programs} />
      </div>
    </div>
  );
}

interface TierTexts {
  readonly minVolume: string;
  readonly makerFee: string;
  readonly takerFee: string;
}

const FIELDS = {
  minVolume: msg('Minimum volume'),
  makerFee: msg('Maker'),
  takerFee: msg('Taker'),
} as const;
type FieldName = keyof typeof FIELDS;
/** As many as `rate` shows. */
const MIN_RATE_DECIMALS = 2;
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

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
  const fields = rows.value.flatMap((_, row) => FIELD_NAMES.map((name) => `${name}-${row}`));
  const editing: TierEditing = {
    ...{ asset: asset.value, action },
    decimals: Math.max(
      MIN_RATE_DECIMALS,
      maxDecimals(rows.value.flatMap(({ makerFee, takerFee }) => [makerFee, takerFee])),
    ),
    onInput: (index, name, text) => {
      rows.value = rows.value.with(index, { ...rows.value[index]!, [name]: text });
    },
    onRemove: (index) => {
      rows.value = rows.value.toSpliced(index, 1);
    },
  };
  return (
    <Form action={action} onSubmit={submit} fields={fields}>
      <div class="volume-asset">
        <Select
          label={t('Volume asset')}
          value={asset.value}
          options={assets.map((name) => [name, name] as const)}
          onChange={(chosen) => {
            asset.value = chosen;
          }}
          describedBy="volume-asset-hint"
        />
        <small id="volume-asset-hint" class="muted">
          {t('Tiers count the 30-day volume in markets quoted in this asset.')}
        </small>
      </div>
      <div class="tier-rows">
        <Table
          caption={t('Fee tiers')}
          columns={tierColumns(editing)}
          card={tierCard(editing)}
          rows={rows.value.map((texts, index) => ({ ...texts, index }))}
          rowKey={({ index }) => `${index}`}
          empty={t('No fee tiers. All accounts pay the market fees.')}
        />
      </div>
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
        <Submit action={action} label={t('Apply tiers')} disabled={!isChanged} />
      </div>
    </Form>
  );
}

interface TierRow extends TierTexts {
  readonly index: number;
}

interface TierEditing {
  readonly asset: string;
  /** Decimals of the rates that are not being edited, so that their columns align. */
  readonly decimals: number;
  readonly action: Action;
  readonly onInput: (index: number, name: FieldName, text: string) => void;
  readonly onRemove: (index: number) => void;
}

/** Columns of fields. Their labels name the tier, for screen readers. */
function tierColumns(editing: TierEditing): readonly Column<TierRow>[] {
  const column = (name: FieldName): Column<TierRow> => ({
    key: name,
    ...{ title: FIELDS[name], numeric: true },
    cell: (row) => <TierField {...editing} row={row} name={name} isCell />,
  });
  return [
    { key: 'tier', title: msg('Tier'), cell: (row) => <b>{rowName(row)}</b> },
    ...FIELD_NAMES.map(column),
    {
      ...{ key: 'remove', title: msg('Remove'), hiddenTitle: true },
      cell: (row) => <RemoveTier row={row} onRemove={editing.onRemove} />,
    },
  ];
}

/** Returns how a phone shows a tier: its fields below its name. */
function tierCard(editing: TierEditing) {
  return (row: TierRow) => (
    <div class="tier-card">
      <b>{rowName(row)}</b>
      <RemoveTier row={row} onRemove={editing.onRemove} />
      {FIELD_NAMES.map((name) => (
        <TierField key={name} {...editing} row={row} name={name} />
      ))}
    </div>
  );
}

const rowName = ({ index }: TierRow) => t('Tier {tier}', { tier: index + 1 });

interface TierFieldProps extends TierEditing {
  readonly row: TierRow;
  readonly name: FieldName;
  /** Whether the title of its column is its label. */
  readonly isCell?: boolean;
}

function TierField(props: TierFieldProps) {
  const { asset, decimals, action, onInput, row, name, isCell = false } = props;
  const id = `${name}-${row.index}`;
  const label = t(FIELDS[name]);
  const field = {
    label: isCell ? `${label}, ${rowName(row)}` : label,
    hiddenLabel: isCell,
    value: row[name],
    onInput: (text: string) => onInput(row.index, name, text),
    error: action.fieldError(id),
  };
  return name === 'minVolume' ? (
    <GroupedNumberField {...field} unit={asset} input={{ name: id }} />
  ) : (
    <FormattedNumberField
      {...field}
      unit="%"
      input={{ name: id }}
      format={(typed) => padDecimals(typed, decimals)}
    />
  );
}

function RemoveTier({ row, onRemove }: Pick<TierEditing, 'onRemove'> & { row: TierRow }) {
  return (
    <button type="button" class="button small" onClick={() => onRemove(row.index)}>
      {t('Remove')}
      <span class="visually-hidden"> {rowName(row)}</span>
    </button>
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
      : t('from {volume} {asset}: maker {maker}%, taker {taker}%', {
          volume: withSeparators(tier.minVolume),
          asset: unit,
          maker: tier.makerFee,
          taker: tier.takerFee,
        });
  const count = Math.max(tiers.length, newTiers.length);
  return listChanges(
    Array.from({ length: count }, (_, index) => [
      t('Tier {tier}', { tier: index + 1 }),
      text(tiers[index], asset),
      text(newTiers[index], newAsset),
    ]),
  );
}

function tierTexts({ minVolume, makerFee, takerFee }: FeeTier<string>): TierTexts {
  return {
    minVolume: localNumber(minVolume),
    makerFee: toPercentText(makerFee),
    takerFee: toPercentText(takerFee),
  };
}
