/**
 * npm run bench:bench [-- --starts N] [--runs N] [--only NAME,…]
 *
 * Measures what makes tests of bots wait: one figure per line of FIGURES. Prints one JSON line.
 */
import { parseArgs } from 'node:util';
import { measureMonth } from './bench/months.ts';
import { measureRestores } from './bench/restores.ts';
import { measureScenarios } from './bench/scenarios.ts';
import { measureStarts } from './bench/starts.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '50' },
    runs: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
});

/** The figures by name, each an object of numbers. They are measured one after the other. */
const FIGURES: Readonly<Record<string, () => Promise<Readonly<Record<string, number>>>>> = {
  startExchange: () => measureStarts(Number(values.starts)),
  restore: measureRestores,
  month: measureMonth,
  scenarios: () => measureScenarios(Number(values.runs)),
};

const names = values.only?.split(',') ?? Object.keys(FIGURES);
const report: Record<string, unknown> = {};
for (const name of names) {
  const measure = FIGURES[name];
  if (measure === undefined) throw new Error(`--only: ${Object.keys(FIGURES).join(', ')}`);
  report[name] = await measure();
}
console.log(JSON.stringify(report));
