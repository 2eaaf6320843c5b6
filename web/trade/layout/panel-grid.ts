import { computed, signal } from '@preact/signals';
import { chosenPlaces, countRows, PANEL_IDS, type Places, PRESETS } from './layouts.ts';

const WIDE = matchMedia('(min-width: 1180px)');
/** Whether the window has space for layouts; smaller ones show the standard layout for their size. */
export const isWide = signal(WIDE.matches);
WIDE.addEventListener('change', () => {
  isWide.value = WIDE.matches;
});

/** The layout while the user changes it. */
export const draftPlaces = signal<Places | undefined>(undefined);
export const isEditing = computed(() => isWide.value && draftPlaces.value !== undefined);

export function startEditing(): void {
  draftPlaces.value = chosenPlaces.peek() ?? PRESETS.standard.places;
}

export function stopEditing(): void {
  draftPlaces.value = undefined;
}

/** The places of the panels; undefined for the standard layout, which style sheets fit to the window. */
const shownPlaces = computed(() =>
  isWide.value ? (draftPlaces.value ?? chosenPlaces.value) : undefined,
);

export const isLadderShown = computed(() => shownPlaces.value?.ladder !== undefined);

/** Classes and custom properties by which style sheets place the panels. */
export const panelGrid = computed(() => {
  const places = shownPlaces.value;
  if (places === undefined) return { classes: [], style: {} };
  const hidden = PANEL_IDS.filter((id) => places[id] === undefined);
  const style: Record<string, string> = { '--rows': `${countRows(places)}` };
  for (const [id, { x, y, w, h }] of Object.entries(places)) {
    // The first row has the market and its prices; lines of a grid count from 1.
    style[`--${id}-area`] = `${y + 2} / ${x + 1} / ${y + h + 2} / ${x + w + 1}`;
  }
  return { classes: ['custom', ...hidden.map((id) => `without-${id}`)], style };
});
