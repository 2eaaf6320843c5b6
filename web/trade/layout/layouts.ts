import { computed } from '@preact/signals';
import { msg } from '../../i18n/t.ts';
import { storedValue } from '../../preferences.ts';

/** The panels of the trading page that a layout places, below the row with the market and its prices. */
export const PANELS = {
  chart: { name: msg('Chart'), minimum: { w: 5, h: 8 } },
  book: { name: msg('Order book'), minimum: { w: 4, h: 8 } },
  ladder: { name: msg('Price ladder'), minimum: { w: 6, h: 10 } },
  tape: { name: msg('Trades'), minimum: { w: 4, h: 5 } },
  form: { name: msg('Order form'), minimum: { w: 5, h: 10 } },
  orders: { name: msg('Orders'), minimum: { w: 5, h: 5 } },
  markets: { name: msg('Markets'), minimum: { w: 4, h: 6 } },
} as const;
export type PanelId = keyof typeof PANELS;
export const PANEL_IDS = Object.keys(PANELS) as readonly PanelId[];

export const COLUMNS = 24;
/** Rows that fill the window; a page with more of them scrolls. */
export const ROWS = 24;
const MAX_ROWS = 96;

/** The place of a panel, in columns and rows from the top left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The places of the panels that a layout shows. */
export type Places = Readonly<Partial<Record<PanelId, Place>>>;

const place = (x: number, y: number, w: number, h: number): Place => ({ x, y, w, h });

/** The standard layout as places. The page itself shows it by style sheets, which fit it to every window. */
const STANDARD: Places = {
  markets: place(0, 0, 4, 10),
  tape: place(0, 10, 4, 14),
  chart: place(4, 0, 10, 17),
  book: place(14, 0, 5, 24),
  form: place(19, 0, 5, 24),
  orders: place(4, 17, 10, 7),
};

export const PRESETS = {
  standard: { name: msg('Standard'), places: STANDARD },
  chart: {
    name: msg('Large chart'),
    places: {
      chart: place(0, 0, 19, 17),
      orders: place(0, 17, 14, 7),
      tape: place(14, 17, 5, 7),
      form: place(19, 0, 5, 24),
    },
  },
  ladder: {
    name: msg('Price ladder'),
    places: {
      ladder: place(0, 0, 7, 24),
      chart: place(7, 0, 8, 15),
      tape: place(15, 0, 4, 15),
      orders: place(7, 15, 12, 9),
      form: place(19, 0, 5, 24),
    },
  },
} as const satisfies Record<string, { name: string; places: Places }>;
export type PresetId = keyof typeof PRESETS;
export const PRESET_IDS = Object.keys(PRESETS) as readonly PresetId[];

/** A layout that the user saved. */
export interface SavedLayout {
  readonly name: string;
  readonly places: Places;
}

export const MAX_SAVED_LAYOUTS = 10;
export const MAX_NAME_LENGTH = 30;

/** The layouts of this browser: the saved ones, and the one in use. */
export interface Layouts {
  readonly saved: readonly SavedLayout[];
  /** A preset, or the name of a saved layout. */
  readonly chosen: { readonly preset: PresetId } | { readonly name: string };
}

const DEFAULT: Layouts = { saved: [], chosen: { preset: 'standard' } };
export const layouts = storedValue<Layouts>('layouts', parseLayouts, DEFAULT);

/** The places of the layout in use; undefined for the standard layout. */
export const chosenPlaces = computed<Places | undefined>(() => {
  const { saved, chosen } = layouts.value;
  if ('preset' in chosen) {
    return chosen.preset === 'standard' ? undefined : PRESETS[chosen.preset].places;
  }
  return saved.find(({ name }) => name === chosen.name)?.places;
});

export function choosePreset(preset: PresetId): void {
  layouts.value = { ...layouts.value, chosen: { preset } };
}

export function chooseSaved(name: string): void {
  layouts.value = { ...layouts.value, chosen: { name } };
}

/** Stores a layout under a name, in place of one with the same name, and uses it. The oldest make way for new ones. */
export function saveLayout(name: string, places: Places): void {
  const others = layouts.value.saved.filter((each) => each.name !== name);
  layouts.value = {
    saved: [...others, { name, places }].slice(-MAX_SAVED_LAYOUTS),
    chosen: { name },
  };
}

/** Deletes a saved layout; the standard one replaces it if it is in use. */
export function deleteLayout(name: string): void {
  const { saved, chosen } = layouts.value;
  const isInUse = 'name' in chosen && chosen.name === name;
  layouts.value = {
    saved: saved.filter((each) => each.name !== name),
    chosen: isInUse ? DEFAULT.chosen : chosen,
  };
}

/** Returns the rows down to the end of the lowest panel, at least those that fill the window. */
export function countRows(places: Places): number {
  return Math.max(ROWS, ...Object.values(places).map(({ y, h }) => y + h));
}

/**
 * Returns the places after a panel was dropped on a cell of another panel, with the two swapped; undefined if there is no
 * other panel, or if one of them would be too small.
 */
export function swapPlaces(
  places: Places,
  id: PanelId,
  cell: { readonly x: number; readonly y: number },
): Places | undefined {
  const other = PANEL_IDS.find((each) => {
    const place = places[each];
    return place !== undefined && overlap(place, { ...cell, w: 1, h: 1 });
  });
  if (other === undefined || other === id) return undefined;
  const swapped = { ...places, [id]: places[other], [other]: places[id] };
  return areValid(swapped) ? swapped : undefined;
}

/** Returns whether the places are in the grid, no smaller than their panels allow, and apart from each other. */
export function areValid(places: Places): boolean {
  const entries = Object.entries(places) as [PanelId, Place][];
  return (
    entries.length > 0 &&
    entries.every(([id, each]) => isValidPlace(id, each)) &&
    entries.every(([, a], index) => entries.slice(index + 1).every(([, b]) => !overlap(a, b)))
  );
}

function isValidPlace(id: PanelId, { x, y, w, h }: Place): boolean {
  const { minimum } = PANELS[id];
  return (
    [x, y, w, h].every((value) => Number.isInteger(value) && value >= 0) &&
    w >= minimum.w &&
    h >= minimum.h &&
    x + w <= COLUMNS &&
    y + h <= MAX_ROWS
  );
}

function overlap(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Reads what an earlier visit stored; layouts that are not valid are left out. */
export function parseLayouts(json: unknown): Layouts | undefined {
  if (!isRecord(json) || !Array.isArray(json.saved)) return undefined;
  const saved = json.saved.flatMap(parseLayout).slice(-MAX_SAVED_LAYOUTS);
  const chosen = isRecord(json.chosen) ? json.chosen : {};
  const preset = PRESET_IDS.find((id) => id === chosen.preset);
  const known = saved.find(({ name }) => name === chosen.name);
  if (known !== undefined) return { saved, chosen: { name: known.name } };
  return { saved, chosen: preset === undefined ? DEFAULT.chosen : { preset } };
}

function parseLayout(json: unknown): SavedLayout[] {
  if (!isRecord(json) || typeof json.name !== 'string' || !isRecord(json.places)) return [];
  const { name, places } = json;
  const found = PANEL_IDS.flatMap((id) => {
    const each = places[id];
    if (!isRecord(each)) return [];
    return [[id, { x: each.x, y: each.y, w: each.w, h: each.h }]];
  });
  const parsed = Object.fromEntries(found) as Places;
  const isNamed = name.trim() !== '' && name.length <= MAX_NAME_LENGTH;
  return isNamed && areValid(parsed) ? [{ name, places: parsed }] : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
