import { useSignal } from '@preact/signals';
import type { Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';
import { Affected, type Preview } from './affected.tsx';
import { RuleFields } from './rule-fields.tsx';
import { changedRules, RULES, ruleTexts } from './rules.ts';

interface MarketRulesProps {
  readonly market: Market<string>;
  readonly onDone: () => Promise<void>;
}

const FATE = 'the new rules would not take them. They stay open as they are.';
const FIELDS = RULES.map(({ name }) => name);

/** Changes rules in two steps: first whom it concerns, then the change. */
export function MarketRules({ market, onDone }: MarketRulesProps) {
  const present = ruleTexts(market);
  const texts = useSignal(present);
  const preview = useSignal<Preview | undefined>(undefined);
  const action = useAction();
  const { symbol, base, quote } = market;
  const submit = async () => {
    const changes = changedRules(texts.value, present);
    if (Object.keys(changes).length === 0) {
      throw new FieldError('none', 'Nothing was changed yet.');
    }
    if (preview.value === undefined) {
      const asked = texts.value;
      const answer = await api.changeMarket({ symbol, ...changes, preview: 'true' });
      // The rules may have been edited in the meantime.
      if (texts.value === asked) preview.value = answer;
      return;
    }
    await api.changeMarket({ symbol, ...changes });
    announce(`The rules of ${symbol} are changed.`, 'success');
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
      {preview.value === undefined ? null : <Affected preview={preview.value} fate={FATE} />}
      <div class="dialog-actions">
        <Submit
          action={action}
          label={preview.value === undefined ? 'Preview the change' : 'Change the rules'}
        />
      </div>
    </Form>
  );
}
