import type { Bug } from './bug.ts';

const RUNS = 'test/process/scenarios.test.ts';
const FILES = 'src/scenario/scenario.test.ts';

/** Scenarios: their files, their runs and their results. */
export const scenarioBugs: readonly Bug[] = [
  {
    name: 'numbers of scenarios are doubles',
    file: 'src/scenario/format/document.ts',
    text: '? (source ??',
    becomes: '? (undefined ??',
    catcher: { file: FILES, test: 'a scenario has exact numbers' },
  },
  {
    name: 'a problem is reported at the end of its value',
    file: 'src/scenario/format/document.ts',
    text: 'private place([from]: Range) {',
    becomes: 'private place([, from]: Range) {',
    catcher: { file: FILES, test: 'a typo is reported with its place' },
  },
  {
    name: 'unknown fields have no nearest name',
    file: 'src/scenario/format/problems.ts',
    text: 'const similar = nearest(name, known);',
    becomes: 'const similar = nearest(name, []);',
    catcher: { file: FILES, test: 'a typo is reported with its place' },
  },
  {
    name: 'an expectation may have fields of others',
    file: 'src/scenario/scenario.ts',
    text: "if ([kind, 'at', 'because', ...names].includes(field)) continue;",
    becomes: 'if (field !== undefined) continue;',
    catcher: { file: FILES, test: 'side: buy, is is reported' },
  },
  {
    name: 'at least means above',
    file: 'src/scenario/format/texts.ts',
    text: "if (word === 'at least') return (value) => value.gte(bound);",
    becomes: "if (word === 'at least') return (value) => value.gt(bound);",
    catcher: { file: 'src/scenario/run/assertions.test.ts', test: 'comparisons are exact' },
  },
  {
    name: 'products of expressions bind like sums',
    file: 'src/scenario/format/expression.ts',
    text: 'const [before, next, isPlus] = [total, this.product(), sign ===',
    becomes: 'const [before, next, isPlus] = [total, this.value(), sign ===',
    catcher: { file: 'src/scenario/format/expression.test.ts', test: 'comparisons are exact' },
  },
  {
    name: 'an order that is repeated later is a duplicate',
    file: 'src/scenario/run/assertions.ts',
    text: 'at - last <= withinMs) count++;',
    becomes: 'at >= last) count++;',
    catcher: { file: 'src/scenario/run/assertions.test.ts', test: 'are duplicates' },
  },
  {
    name: 'JUnit XML has titles as they are',
    file: 'src/scenario/reports/junit.ts',
    text: 'replace(INVALID,',
    becomes: 'replace(/$^/u,',
    catcher: {
      file: 'src/scenario/reports/reports.test.ts',
      test: 'any title and text is escaped',
    },
  },
  {
    name: 'actions between two steps happen at the second',
    file: 'src/scenario/run/run.ts',
    text: 'await this.advanceClock(due.atMs);',
    becomes: 'await this.advanceClock(atMs);',
    catcher: { file: RUNS, test: 'a bot that throws' },
  },
  {
    name: 'a failed expectation does not fail the run',
    file: 'src/scenario/run/run.ts',
    text: 'this.assertions.every((each) => each.passed);',
    becomes: 'this.assertions.some((each) => each.passed);',
    catcher: { file: RUNS, test: 'a failed run exits with 1' },
  },
  {
    name: 'positions are looked at only at the end',
    file: 'src/scenario/run/run.ts',
    text: 'expectation.at === undefined && expectation.position !== undefined',
    becomes: 'expectation.at === undefined && expectation.position === null',
    catcher: { file: RUNS, test: 'a position is checked after every step' },
  },
  {
    name: 'steps do not wait for streams',
    file: 'src/scenario/bots/module-bot.ts',
    text: 'drain: () => barrier.drain(() => streams.isLive),',
    becomes: 'drain: async () => {},',
    catcher: { file: RUNS, test: 'streams have delivered everything' },
  },
  {
    name: 'orders of bots have random ids',
    file: 'src/scenario/bots/sequential-client.ts',
    text: 'isPlacing && parameters.clientOrderId == null',
    becomes: 'isPlacing && parameters.clientOrderId === 0',
    catcher: { file: RUNS, test: 'requests are sent one after another' },
  },
];
