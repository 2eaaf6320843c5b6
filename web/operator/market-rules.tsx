import { useSignal } from '@preact/signals';
import type { OperatorMarket } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { useIsChanged } from '../components/changed.ts';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { Affected } from './affected.tsx';
import { reviewChanges } from './change-review.tsx';
import { RuleFields } from './rule-fields.tsx';
import { changedRules, describeChanges, RULES, ruleTexts, withRuleLabels } from './rules.ts';

interface MarketRulesProps {
  readonly market: OperatorMarket<string>;
  readonly onDone: () => Promise<void>;
}

const EFFECT = msg('they do not meet the new rules and stay open unchanged.');
const FIELDS = RULES.map(({ name }) => name);

/** Changes market rules after a review of the changes and the affected orders. */
export function MarketRules({ market, onDone }: MarketRulesProps) {
  const present = ruleTexts(market);
  const texts = useSignal(present);
  const action = useAction();
  const isChanged = useIsChanged(JSON.stringify(texts.value));
  const { symbol, base, quote } = market;
  const submit = async () => {
    const changes = changedRules(texts.value, present);
    if (Object.keys(changes).length === 0) {
      throw new FieldError('none', t('Nothing has changed. Edit a rule first.'));
    }
    const preview = await withRuleLabels(() =>
      api.changeMarket({ symbol, ...changes, preview: 'true' }),
    );
    const reason = await reviewChanges({
      title: t('Change the rules of {symbol}', { symbol }),
      changes: describeChanges(changes, texts.value, market),
      effect: <Affected preview={preview} effect={t(EFFECT)} />,
    });
    if (reason === undefined) return;
    await api.changeMarket({ symbol, ...changes, reason });
    announce(t('Rules of {symbol} updated', { symbol }), 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <RuleFields texts={texts} base={base} quote={quote} action={action} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Review changes')} disabled={!isChanged} />
      </div>
    </Form>
  );
}
