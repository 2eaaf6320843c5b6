import { t } from '../i18n/index.ts';
import { toggleEvent } from './channels.ts';
import { EVENTS, includesEvent } from './events.ts';

interface EventChoiceProps {
  readonly legend: string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A checkbox per event. */
export function EventChoice({ legend, chosen, onChange }: EventChoiceProps) {
  const names = EVENTS.map(([name]) => name);
  const toggle = (toggled: string, isOn: boolean) =>
    onChange(toggleEvent(names, chosen, toggled, isOn));
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {EVENTS.map(([name, label]) => (
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
