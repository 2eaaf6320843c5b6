import { Icon } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { t } from '../../i18n/index.ts';
import {
  choosePreset,
  chooseSaved,
  deleteLayout,
  layouts,
  PRESET_IDS,
  PRESETS,
  type PresetId,
} from './layouts.ts';
import { isWide, startEditing } from './panel-grid.ts';

/** Chooses, edits and deletes layouts. */
export function LayoutMenu() {
  if (!isWide.value) return null;
  const { saved, chosen } = layouts.value;
  const isPreset = (id: PresetId) => 'preset' in chosen && chosen.preset === id;
  const isSaved = (name: string) => 'name' in chosen && chosen.name === name;
  return (
    <Menu
      id="layout-menu"
      closesOnChoice
      label={t('Layout')}
      buttonClass="icon-button"
      button={<Icon name="layout" />}
    >
      {PRESET_IDS.map((id) => (
        <LayoutChoice
          key={id}
          name={t(PRESETS[id].name)}
          isChosen={isPreset(id)}
          onChoose={() => choosePreset(id)}
        />
      ))}
      {saved.map(({ name }) => (
        <div key={name} class="saved-layout">
          <LayoutChoice name={name} isChosen={isSaved(name)} onChoose={() => chooseSaved(name)} />
          <button
            type="button"
            class="icon-button"
            aria-label={t('Delete layout {name}', { name })}
            onClick={() => deleteLayout(name)}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <button type="button" class="edit-layout" onClick={startEditing}>
        {t('Edit layout…')}
      </button>
    </Menu>
  );
}

interface LayoutChoiceProps {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function LayoutChoice({ name, isChosen, onChoose }: LayoutChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {name}
      {isChosen ? <span aria-hidden="true"> ✓</span> : null}
    </button>
  );
}
