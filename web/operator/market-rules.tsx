import { useSignal } from '@preact/signals';
import type { Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';
import { Affected, type Preview } from './affected.tsx';
import { withReason } from './approval-reason.tsx';
import { RuleFields } from './rule-fields.tsx';
import { changedRules, RULES, ruleTexts } from './rules.ts';

interface MarketRulesProps {
  readonly market: Market<string>;
  readonly onDone: () => Promise<void>;
}

const EFFECT = 'they do not meet the new rules and stay open unchanged.';
const FIELDS = RULES.map(({ name }) => name);

/** Changes market rules in two steps: a preview of the affected orders, then the change. */
export function MarketRules({ market, onDone }: MarketRulesProps) {
  const present = ruleTexts(market);
  const texts = useSignal(present);
  const preview = useSignal<Preview | undefined>(undefined);
  const action = useAction();
  const { symbol, base, quote } = market;
  const submit = async () => {
    const changes = changedRules(texts.value, present);
    if (Object.keys(changes).length === 0) {
      throw new FieldError('none', 'No changes to preview. Edit a rule first.');
    }
    if (preview.value === undefined) {
      const previewed = texts.value;
      const response = await api.changeMarket({ symbol, ...changes, preview: 'true' });
      // The rules may have been edited in the meantime.
      if (texts.value === previewed) preview.value = response;
      return;
    }
    await withReason((why) => api.changeMarket({ symbol, ...changes, ...why }));
    announce(`Rules of ${symbol} updated`, 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <RuleFields
        texts={texts}
        base={base}
        quote={quote}
        action={action}
        onEdit={() => {
          preview.value = undefined;
        }}
      />
      {preview.value === undefined ? null : <Affected preview={preview.value} effect={EFFECT} />}
      <div class="dialog-actions">
        <Submit action={action} label={preview.value === undefined ? 'Preview changes' : 'Apply'} />
      </div>
    </Form>
  );
}
