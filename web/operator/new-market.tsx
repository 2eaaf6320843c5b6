import { type Signal, useSignal } from '@preact/signals';
import type { ListMarketParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { readTimeField } from './alert-filters.tsx';
import { RuleFields } from './rule-fields.tsx';
import { changedRules, NO_RULES, RULES, withRuleLabels } from './rules.ts';
import { TimeField } from './time-field.tsx';

const FIELDS = [...RULES.map(({ name }) => name), 'opensAt'];

export function NewMarket({ onDone }: { onDone: () => Promise<void> }) {
  const assets = useResource(() => api.listKnownAssets());
  return (
    <Loaded resource={assets}>
      {(data) => <Listing assets={data.assets.map(({ asset }) => asset)} onDone={onDone} />}
    </Loaded>
  );
}

interface ListingProps {
  readonly assets: readonly string[];
  readonly onDone: () => Promise<void>;
}

type Opening = 'online' | 'auction';
const OPENINGS = [
  ['online', msg('Trades at once')],
  ['auction', msg('Opening auction')],
] as const;

/** Returns how a market opens, in API format. @throws FieldError if the time is not one */
function readOpening(opening: Opening, opensAt: Signal<string>): Partial<ListMarketParameters> {
  if (opening === 'online') return {};
  const time = readTimeField('opensAt', opensAt);
  return time === '' ? { status: opening } : { status: opening, opensAt: time };
}

function Listing({ assets, onDone }: ListingProps) {
  const defaultQuote = assets.find((asset) => asset === 'USDT') ?? assets[1] ?? '';
  const quote = useSignal(defaultQuote);
  const base = useSignal(assets.find((asset) => asset !== defaultQuote) ?? '');
  const texts = useSignal(NO_RULES);
  const opening = useSignal<Opening>('online');
  const opensAt = useSignal('');
  const action = useAction();
  const options = assets.map((asset) => [asset, asset] as const);
  const submit = async () => {
    for (const { name, optional } of RULES) {
      if (!optional && texts.value[name].trim() === '') {
        throw new FieldError(name, t('Required'));
      }
    }
    const symbol = `${base.value}/${quote.value}`;
    // The loop above has checked that all required rules are present.
    const rules = changedRules(texts.value, NO_RULES) as Omit<ListMarketParameters, 'symbol'>;
    const terms = { symbol, ...rules, ...readOpening(opening.value, opensAt) };
    await withRuleLabels(() => api.listMarket(terms));
    announce(t('{symbol} listed', { symbol }), 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <div class="two-columns">
        <Select
          label={t('Base asset')}
          value={base.value}
          options={options}
          onChange={(chosen) => {
            base.value = chosen;
          }}
        />
        <Select
          label={t('Quote asset')}
          value={quote.value}
          options={options}
          onChange={(chosen) => {
            quote.value = chosen;
          }}
        />
      </div>
      <RuleFields texts={texts} base={base.value} quote={quote.value} action={action} isNew />
      <div class="two-columns">
        <Select
          label={t('Opening')}
          value={opening.value}
          options={OPENINGS}
          onChange={(chosen) => {
            opening.value = chosen;
          }}
        />
        {opening.value === 'auction' ? (
          <TimeField
            label={t('Opens at (optional)')}
            name="opensAt"
            {...bound(opensAt)}
            error={action.fieldError('opensAt')}
          />
        ) : null}
      </div>
      <div class="dialog-actions">
        <Submit
          action={action}
          label={t('List {symbol}', { symbol: `${base.value}/${quote.value}` })}
        />
      </div>
    </Form>
  );
}
