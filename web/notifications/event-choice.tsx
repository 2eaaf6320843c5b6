import { t } from '../i18n/index.ts';
import { EVENTS, includesEvent } from './events.ts';

interface EventChoiceProps {
  readonly legend: string;
  readonly chosen: readonly string[];
  readonly names?: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A checkbox per event. @param names The events to choose from; default: all. */
export function EventChoice({ legend, chosen, names, onChange }: EventChoiceProps) {
  const offered = EVENTS.filter(([name]) => names === undefined || names.includes(name));
  const toggle = (toggled: string, isOn: boolean) =>
    onChange(
      offered
        .map(([name]) => name)
        .filter((name) => (name === toggled ? isOn : includesEvent(chosen, name))),
    );
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {offered.map(([name, label]) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={includesEvent(chosen, name)}
            onChange={(event) => toggle(name, event.currentTarget.checked)}
          />
          <span>{t(label)}</span>
        </label>
      ))}
    </fieldset>
  );
}
