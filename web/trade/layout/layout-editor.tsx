import { useSignal } from '@preact/signals';
import { GridStack, type GridStackNode } from 'gridstack';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import {
  areValid,
  COLUMNS,
  layouts,
  MAX_NAME_LENGTH,
  PANEL_IDS,
  PANELS,
  type PanelId,
  type Place,
  type Places,
  ROWS,
  saveLayout,
  swapPlaces,
} from './layouts.ts';
import { draftPlaces, stopEditing } from './panel-grid.ts';

/** Changes of a place by the arrow keys: they move a panel, and with Shift they resize it. */
const KEYS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Lets the user move, resize, hide and show the panels, which follow at once, and save the result under a name. */
export function LayoutEditor() {
  // Rebuilds the grid for places that its own rules would not lead to.
  const generation = useSignal(0);
  const shown = useSignal<readonly PanelId[]>(
    PANEL_IDS.filter((id) => draftPlaces.peek()![id] !== undefined),
  );
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    document.querySelector<HTMLElement>('.layout-editor .grid-stack-item')?.focus();
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      if (key === 'Escape' && !(target instanceof HTMLInputElement)) stopEditing();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      opener?.focus();
    };
  }, []);
  return (
    <>
      <EditorBar
        hidden={PANEL_IDS.filter((id) => !shown.value.includes(id))}
        onShow={(id) => {
          shown.value = [...shown.value, id];
        }}
      />
      <Blocks
        key={generation.value}
        shown={shown.value}
        onHide={(id) => {
          shown.value = shown.value.filter((each) => each !== id);
        }}
        onReplace={(places) => {
          draftPlaces.value = places;
          generation.value++;
        }}
      />
    </>
  );
}

interface BlocksProps {
  readonly shown: readonly PanelId[];
  readonly onHide: (id: PanelId) => void;
  readonly onReplace: (places: Places) => void;
}

/** A block for each panel, in a grid of the library over the page. */
function Blocks({ shown, onHide, onReplace }: BlocksProps) {
  const start = useRef(draftPlaces.peek()!).current;
  const box = useRef<HTMLDivElement>(null);
  const grid = useRef<GridStack>(undefined);
  useEffect(() => {
    grid.current = openGrid(box.current!, onReplace);
    return () => grid.current?.destroy(false);
  }, []);
  const hide = (id: PanelId) => {
    grid.current!.removeWidget(box.current!.querySelector<HTMLElement>(`[gs-id="${id}"]`)!, false);
    onHide(id);
    readPlaces(grid.current!);
  };
  return (
    <div class="layout-editor grid-stack" ref={box}>
      {shown.map((id) => (
        <Block
          key={id}
          id={id}
          place={start[id]}
          grid={() => grid.current}
          onHide={() => hide(id)}
        />
      ))}
    </div>
  );
}

/** Opens the library's grid over the panels, with rows as high as those of the page. */
function openGrid(box: HTMLDivElement, onReplace: (places: Places) => void): GridStack {
  const grid = GridStack.init(
    {
      column: COLUMNS,
      minRow: ROWS,
      cellHeight: rowHeight(box),
      margin: 3,
      mode: 'float',
      animate: false,
      alwaysShowResizeHandle: true,
      resizable: { handles: 'n,e,s,w,se,sw,ne,nw' },
    },
    box,
  )!;
  let before = draftPlaces.peek()!;
  grid.on('change added', () => readPlaces(grid));
  grid.on('dragstart', () => {
    before = draftPlaces.peek()!;
  });
  grid.on('dragstop', (event, element) => {
    const id = element.getAttribute('gs-id') as PanelId;
    const swapped = swapPlaces(before, id, cellAt(box, event as MouseEvent));
    // The library reports the change of the drag after this event.
    if (swapped !== undefined) setTimeout(() => onReplace(swapped));
  });
  return grid;
}

/** Returns the column and row under the pointer. */
function cellAt(box: HTMLElement, { clientX, clientY }: MouseEvent) {
  const { left, top, width } = box.getBoundingClientRect();
  return {
    x: Math.floor(((clientX - left) / width) * COLUMNS),
    y: Math.floor((clientY - top) / rowHeight(box)),
  };
}

/** Returns the height of a row of the page, in pixels: the row after that of the market and its prices. */
function rowHeight(box: HTMLElement): number {
  const [, row] = getComputedStyle(box.parentElement!).gridTemplateRows.split(' ');
  return Number.parseFloat(row!);
}

/** Moves the panels of the page to where the blocks of the editor are. */
function readPlaces(grid: GridStack): void {
  const entries = grid.engine.nodes.map(({ id, x = 0, y = 0, w = 1, h = 1 }: GridStackNode) => [
    id,
    { x, y, w, h },
  ]);
  draftPlaces.value = Object.fromEntries(entries) as Places;
}

interface BlockProps {
  readonly id: PanelId;
  /** The first place of the panel; undefined for one that was hidden, for which the grid finds a place. */
  readonly place: Place | undefined;
  readonly grid: () => GridStack | undefined;
  readonly onHide: () => void;
}

/** The block that stands for a panel. The library moves it. */
function Block({ id, place, grid, onHide }: BlockProps) {
  const element = useRef<HTMLDivElement>(null);
  const { name, minimum } = PANELS[id];
  useEffect(() => {
    // The blocks of the first render are the grid's own already.
    grid()?.makeWidget(element.current!);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== element.current) return;
    if (event.key === 'Delete') return onHide();
    const [dx, dy] = KEYS[event.key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    const now = draftPlaces.value![id]!;
    const change = event.shiftKey
      ? { w: now.w + dx, h: now.h + dy }
      : { x: Math.max(0, now.x + dx), y: Math.max(0, now.y + dy) };
    grid()!.update(element.current!, change);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields
    <div
      ref={element}
      class="grid-stack-item"
      gs-id={id}
      gs-x={place?.x}
      gs-y={place?.y}
      gs-w={place?.w ?? minimum.w}
      gs-h={place?.h ?? minimum.h}
      gs-min-w={minimum.w}
      gs-min-h={minimum.h}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move it
      tabIndex={0}
      role="group"
      aria-roledescription={t('Panel')}
      aria-describedby="layout-help"
      aria-label={describe(id)}
      onKeyDown={onKeyDown}
    >
      <div class="grid-stack-item-content layout-block">
        <b>{t(name)}</b>
        <button type="button" class="button small" onClick={onHide}>
          {t('Hide')}
        </button>
      </div>
    </div>
  );
}

/** Returns the name of a panel and its place, for screen readers. */
function describe(id: PanelId): string {
  const name = t(PANELS[id].name);
  const now = draftPlaces.value?.[id];
  if (now === undefined) return name;
  const values = { name, column: now.x + 1, row: now.y + 1, width: now.w, height: now.h };
  return t('{name}: column {column}, row {row}, {width} wide, {height} high', values);
}

interface EditorBarProps {
  readonly hidden: readonly PanelId[];
  readonly onShow: (id: PanelId) => void;
}

/** Saves or discards the layout, and shows hidden panels. */
function EditorBar({ hidden, onShow }: EditorBarProps) {
  const { chosen } = layouts.value;
  const name = useSignal('name' in chosen ? chosen.name : t('My layout'));
  const isReady = name.value.trim() !== '' && areValid(draftPlaces.value ?? {});
  const save = (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    saveLayout(name.value.trim(), draftPlaces.value!);
    stopEditing();
  };
  return (
    <form class="panel layout-bar" aria-label={t('Edit layout')} onSubmit={save}>
      <p id="layout-help">
        {t(
          'Drag panels to move or swap them, and their edges to resize them. On the keyboard: arrow keys, Shift + arrow keys, Delete to hide.',
        )}
      </p>
      {hidden.map((id) => (
        <button key={id} type="button" class="button small" onClick={() => onShow(id)}>
          {t('+ {panel}', { panel: t(PANELS[id].name) })}
        </button>
      ))}
      <label>
        {t('Name')}
        <input
          value={name.value}
          maxLength={MAX_NAME_LENGTH}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </label>
      <button type="button" class="button small" onClick={stopEditing}>
        {t('Cancel')}
      </button>
      <button type="submit" class="button small primary" disabled={!isReady}>
        {t('Save')}
      </button>
    </form>
  );
}
