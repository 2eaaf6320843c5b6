import { useId } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../i18n/index.ts';
import {
  addIndicator,
  INDICATORS,
  type Indicator,
  type IndicatorKind,
  indicators,
  isParameter,
  PARAMETER_RANGE,
  removeIndicator,
  setParameter,
} from './settings.ts';

/** The indicators on the charts with their parameters, and the kinds that can be added. */
export function IndicatorMenu() {
  return (
    <div class="indicator-menu">
      {indicators.value.map((indicator) => (
        <IndicatorRow key={indicator.id} indicator={indicator} />
      ))}
      <h3>{t('Add indicator')}</h3>
      {(Object.keys(INDICATORS) as IndicatorKind[]).map((kind) => (
        <button key={kind} type="button" onClick={() => addIndicator(kind)}>
          {t(INDICATORS[kind].name)}
        </button>
      ))}
    </div>
  );
}

function IndicatorRow({ indicator }: { indicator: Indicator }) {
  const { id, kind, parameters } = indicator;
  const field = useId();
  const names: readonly (readonly [string, number])[] = INDICATORS[kind].parameters;
  return (
    <fieldset class="indicator-row">
      <legend class="visually-hidden">{t(INDICATORS[kind].name)}</legend>
      <b>{INDICATORS[kind].short}</b>
      {names.map(([name], index) => (
        <label key={name} for={`${field}-${index}`}>
          {t(name)}
          <input
            id={`${field}-${index}`}
            type="number"
            min={PARAMETER_RANGE.min}
            max={PARAMETER_RANGE.max}
            step={kind === 'bollinger' && index === 1 ? 0.1 : 1}
            value={parameters[index]}
            onChange={({ currentTarget }) => {
              const value = currentTarget.valueAsNumber;
              if (isParameter(value)) setParameter(id, index, value);
              else currentTarget.value = `${parameters[index]}`;
            }}
          />
        </label>
      ))}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Remove {name}', { name: t(INDICATORS[kind].name) })}
        onClick={() => removeIndicator(id)}
      >
        <Icon name="dismiss" />
      </button>
    </fieldset>
  );
}
