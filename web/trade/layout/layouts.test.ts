import { beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  areValid,
  COLUMNS,
  chooseSaved,
  chosenPlaces,
  countRows,
  deleteLayout,
  layouts,
  MAX_SAVED_LAYOUTS,
  PANEL_IDS,
  type Places,
  PRESET_IDS,
  PRESETS,
  parseLayouts,
  ROWS,
  saveLayout,
  swapPlaces,
} from './layouts.ts';

beforeEach(() => {
  layouts.value = { saved: [], chosen: { preset: 'standard' } };
});

test('each preset fills the window, without gaps and without overlaps', () => {
  for (const id of PRESET_IDS) {
    const { places } = PRESETS[id];
    expect(areValid(places)).toBe(true);
    const cells = Object.values(places).reduce((sum, { w, h }) => sum + w * h, 0);
    expect([id, cells, countRows(places)]).toEqual([id, COLUMNS * ROWS, ROWS]);
  }
});

test('a saved layout is used at once and replaces one of the same name', () => {
  const { chart, ladder } = PRESETS;
  saveLayout('mine', chart.places);
  expect(chosenPlaces.value).toEqual(chart.places);
  saveLayout('mine', ladder.places);
  expect(layouts.value.saved).toEqual([{ name: 'mine', places: ladder.places }]);
});

test('deleting the layout in use returns to the standard one, deleting another does not', () => {
  saveLayout('one', PRESETS.chart.places);
  saveLayout('two', PRESETS.ladder.places);
  deleteLayout('one');
  expect(chosenPlaces.value).toEqual(PRESETS.ladder.places);
  deleteLayout('two');
  expect(chosenPlaces.value).toBeUndefined();
  expect(layouts.value).toEqual({ saved: [], chosen: { preset: 'standard' } });
});

test('the oldest layout makes way for one more than the limit', () => {
  for (let index = 0; index <= MAX_SAVED_LAYOUTS; index++) {
    saveLayout(`layout ${index}`, PRESETS.chart.places);
  }
  expect(layouts.value.saved.length).toBe(MAX_SAVED_LAYOUTS);
  expect(layouts.value.saved[0]!.name).toBe('layout 1');
});

test('a panel dropped on another one swaps places with it, if both stay large enough', () => {
  const { places } = PRESETS.standard;
  const swapped = swapPlaces(places, 'book', { x: 6, y: 3 })!;
  expect([swapped.book, swapped.chart]).toEqual([places.chart, places.book]);
  expect(swapPlaces(places, 'book', { x: 15, y: 3 })).toBeUndefined();
  expect(swapPlaces(PRESETS.ladder.places, 'chart', { x: 16, y: 1 })).toBeUndefined();
});

test('stored layouts are read as they were written', () => {
  saveLayout('mine', PRESETS.ladder.places);
  saveLayout('other', PRESETS.chart.places);
  chooseSaved('mine');
  expect(parseLayouts(JSON.parse(JSON.stringify(layouts.value)))).toEqual(layouts.value);
});

const anyPlace = fc.record({
  x: fc.integer({ min: -1, max: COLUMNS }),
  y: fc.integer({ min: -1, max: 100 }),
  w: fc.oneof(fc.integer({ min: 0, max: COLUMNS }), fc.constant(4.5)),
  h: fc.integer({ min: 0, max: 100 }),
});
const anyPlaces = fc.dictionary(fc.constantFrom(...PANEL_IDS), anyPlace) as fc.Arbitrary<Places>;

test('only layouts without overlaps and in the grid are read, whatever is stored', () => {
  const stored = fc.record({
    saved: fc.array(fc.oneof(fc.record({ name: fc.string(), places: anyPlaces }), fc.jsonValue())),
    chosen: fc.oneof(fc.jsonValue(), fc.record({ name: fc.string() })),
  });
  fc.assert(
    fc.property(fc.oneof(stored, fc.jsonValue()), (json) => {
      const read = parseLayouts(json);
      for (const { places } of read?.saved ?? []) expect(isDrawable(places)).toBe(true);
    }),
  );
  expect(parseLayouts({ saved: 3 })).toBeUndefined();
  const chosen = { preset: 'nothing' };
  expect(parseLayouts({ saved: [], chosen })?.chosen).toEqual({ preset: 'standard' });
});

/** Checks places cell by cell. */
function isDrawable(places: Places): boolean {
  const taken = new Set<string>();
  for (const { x, y, w, h } of Object.values(places)) {
    for (let column = x; column < x + w; column++) {
      for (let row = y; row < y + h; row++) {
        const cell = `${column} ${row}`;
        if (taken.has(cell) || column < 0 || column >= COLUMNS || row < 0) return false;
        taken.add(cell);
      }
    }
  }
  return taken.size > 0;
}
