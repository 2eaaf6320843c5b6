import type { Signal } from '@preact/signals';
import { Select } from '../components/field.tsx';
import { fromUnits } from '../decimal.ts';
import { countDecimals } from '../format.ts';
import { storedValue } from '../preferences.ts';
import { type BookScale, defaultGroup, groupingSteps, toUnits } from './book-view.ts';
import { market, priceDecimals, symbol } from './markets.ts';

/** Grouping steps of the current market, the chosen one, and the decimals of its units. */
export interface Grouping {
  readonly steps: readonly bigint[];
  readonly step: bigint;
  readonly scale: BookScale;
}

/** The groupings of a panel. */
export interface ChosenSteps {
  /** The steps that the user chose, in units of the price, by symbol. */
  readonly steps: Signal<Readonly<Record<string, string>>>;
  /** The default step is about this many hundred-thousandths of the price. */
  readonly coarseness: bigint;
}

/** Returns the groupings that this browser keeps for a panel. @param key As that of `storedValue` */
export function storedSteps(key: string, coarseness: bigint): ChosenSteps {
  return {
    steps: storedValue<Readonly<Record<string, string>>>(key, parseSteps, {}),
    coarseness,
  };
}

function parseSteps(json: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const isStep = ([, step]: [string, unknown]) => typeof step === 'string' && /^\d+$/.test(step);
  return Object.fromEntries(Object.entries(json).filter(isStep));
}

export function currentGrouping({ steps: chosenSteps, coarseness }: ChosenSteps): Grouping {
  const { symbol: shown = '', tickSize = '1', stepSize = '1', last = '1' } = market.value ?? {};
  const scale = { price: priceDecimals.value, amount: countDecimals(stepSize) };
  const price = toUnits(last, scale.price);
  const steps = groupingSteps(toUnits(tickSize, scale.price), price);
  const chosen = chosenSteps.value[shown];
  const step =
    steps.find((each) => `${each}` === chosen) ?? defaultGroup(steps, price * coarseness);
  return { steps, step, scale };
}

interface GroupingSelectProps {
  readonly label: string;
  readonly chosenSteps: ChosenSteps;
}

export function GroupingSelect({ label, chosenSteps }: GroupingSelectProps) {
  const { steps, step, scale } = currentGrouping(chosenSteps);
  return (
    <Select
      label={label}
      hiddenLabel
      value={`${step}`}
      options={steps.map((each) => [`${each}`, fromUnits(each, scale.price).toFixed()])}
      onChange={(value) => {
        chosenSteps.steps.value = { ...chosenSteps.steps.value, [symbol.value]: value };
      }}
    />
  );
}
