import type { Signal } from '@preact/signals';
import type { Action } from '../components/action.ts';
import { Field } from '../components/field.tsx';
import { msg, t } from '../i18n/index.ts';
import { RULES, type Rule, type RuleTexts } from './rules.ts';

interface RuleFieldsProps {
  readonly texts: Signal<RuleTexts>;
  readonly base: string;
  readonly quote: string;
  readonly action: Action;
  /** Whether the market is new; optional fields then show their defaults. */
  readonly isNew?: boolean;
  readonly onEdit?: () => void;
}

const DEFAULTS: Partial<Record<Rule['name'], string>> = {
  minPrice: msg('1 tick'),
  minAmount: msg('1 lot'),
  collar: '10',
  staticBand: msg('None'),
  dynamicBand: msg('None'),
  auctionMs: msg('0 (ended by you)'),
};

export function RuleFields({ texts, base, quote, action, isNew, onEdit }: RuleFieldsProps) {
  const units = { base, quote, percent: '%', milliseconds: 'ms' };
  return (
    <div class="two-columns">
      {RULES.map(({ name, label, unit, optional }) => (
        <Field
          key={name}
          label={t(label)}
          unit={units[unit]}
          value={texts.value[name]}
          onInput={(text) => {
            texts.value = { ...texts.value, [name]: text };
            onEdit?.();
          }}
          error={action.fieldError(name)}
          input={{
            name,
            inputMode: 'decimal',
            placeholder: isNew ? t(DEFAULTS[name] ?? '') : t('Unchanged'),
            required: isNew === true && optional !== true,
          }}
        />
      ))}
    </div>
  );
}
