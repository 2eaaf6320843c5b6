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
      button={
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 3h14v14H3zM12 3v14M3 11h9" />
        </svg>
      }
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
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11" />
            </svg>
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
