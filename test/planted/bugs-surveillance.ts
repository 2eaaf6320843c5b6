import type { Bug } from './bug.ts';

const scenarios = (test: string) => ({ file: 'src/surveillance/surveillance.test.ts', test });

const cases = {
  file: 'src/history/queries/alert-queries.test.ts',
  test: 'alerts are found by their cases',
};

const archived = {
  file: 'src/archivist/watch.test.ts',
  test: 'archivists that restart and are killed',
};

/** Faults of the detectors of market abuse. */
export const surveillanceBugs: readonly Bug[] = [
  {
    name: 'surveillance: trades in one direction are wash trades',
    file: 'src/surveillance/detectors/wash-trading.ts',
    text: 'const direction = buyer === first ? 0 : 1;',
    becomes: 'const direction = pair.trades[0] <= pair.trades[1] ? 0 : 1;',
    catcher: scenarios('wash_trading: not found'),
  },
  {
    name: 'surveillance: a maker that quotes both sides is a spoofer',
    file: 'src/surveillance/detectors/spoofing.ts',
    text: 'if (values[at + PLACED + side]! < MIN_BIAS * values[at + PLACED + other]!) return undefined;',
    becomes:
      'if (values[at + PLACED + side]! < 0 * values[at + PLACED + other]!) return undefined;',
    catcher: scenarios('spoofing: not found'),
  },
  {
    name: 'surveillance: withdrawals are counted on the side that traded',
    file: 'src/surveillance/detectors/spoofing.ts',
    text: 'values[at + WITHDRAWN + side]!++;',
    becomes: 'values[at + WITHDRAWN + oppositeSide(side)]!++;',
    catcher: scenarios('spoofing: found'),
  },
  {
    name: 'surveillance: orders that others fill are stuffing',
    file: 'src/surveillance/detectors/quote-stuffing.ts',
    text: 'orders < MIN_PER_FILLED * filled',
    becomes: 'orders < filled',
    catcher: scenarios('quote_stuffing: not found'),
  },
  {
    name: 'surveillance: every five minutes are the close',
    file: 'src/surveillance/detectors/marking-the-close.ts',
    text: 'const isClosing = place.time % DAY_MS >= DAY_MS - CLOSING_MS;',
    becomes: 'const isClosing = place.time % DAY_MS >= 0;',
    catcher: scenarios('marking_the_close: not found'),
  },
  {
    name: 'surveillance: buyers who keep what they bought pump',
    file: 'src/surveillance/detectors/pump.ts',
    text: 'const soldPercent = Math.floor((sold * 100) / bought);',
    becomes: 'const soldPercent = Math.floor((bought * 100) / bought);',
    catcher: scenarios('pump: not found'),
  },
  {
    name: 'surveillance: rows outlive their window',
    file: 'src/surveillance/activities.ts',
    text: 'this.values.fill(0, 0, this.count * this.width);',
    becomes: 'this.values.fill(0, 0, this.count);',
    catcher: scenarios('rows hold what was counted'),
  },
  {
    name: 'surveillance: a detector that failed stops the one after it',
    file: 'src/surveillance/surveillance.ts',
    text: 'this.running.splice(at, 1);\n    this.options.onFailure',
    becomes: 'this.running.splice(at, 2);\n    this.options.onFailure',
    catcher: scenarios('a detector that fails is reported once'),
  },
  {
    name: 'surveillance: a restart records alerts again',
    file: 'src/archivist/watch.ts',
    text: 'if (!this.isNew || this.foundIndex',
    becomes: 'if (this.foundIndex',
    catcher: archived,
  },
  {
    name: 'surveillance: a restart begins with empty windows',
    file: 'src/archivist/watch.ts',
    text: '} else this.restore(records);',
    becomes: '} else this.restore([]);',
    catcher: archived,
  },
  {
    name: 'surveillance: a start continues from a snapshot after the states',
    file: 'src/archivist/file-archive.ts',
    text: 'const { limit = options.history.resumesFrom() } = options;',
    becomes: 'const { limit = options.history.position().sequence } = options;',
    catcher: archived,
  },
  {
    name: 'surveillance: saved states lack the prices before the close',
    file: 'src/surveillance/detectors/marking-the-close.ts',
    text: 'prices: [...lastPrices.entries()]',
    becomes: 'prices: [...lastPrices.entries()].slice(1)',
    catcher: scenarios('detectors that are saved and restored'),
  },
  {
    name: 'surveillance: approved reviews are not recorded',
    file: 'src/history/tables/surveillance.ts',
    text: 'const executed = findExecuted(command, outcome);',
    becomes: 'const executed = findExecuted(command, { kind: "done" });',
    catcher: cases,
  },
  {
    name: 'surveillance: stored cases hide newer reviews',
    file: 'src/history/queries/alert-queries.ts',
    text: 'for (const id of ids) if (reviewed.has(id)) cases.set(id, reviewed.get(id)!);',
    becomes:
      'for (const id of ids) if (reviewed.has(id) && !cases.has(id)) cases.set(id, reviewed.get(id)!);',
    catcher: cases,
  },
  {
    name: 'surveillance: a commit keeps the first review of each alert',
    file: 'src/history/tables/surveillance.ts',
    text: 'for (const review of reviews) latest.set(review.alert, review);',
    becomes:
      'for (const review of reviews) if (!latest.has(review.alert)) latest.set(review.alert, review);',
    catcher: cases,
  },
  {
    name: 'surveillance: verification counts every review as a case',
    file: 'src/history/verification/expected-rows.ts',
    text: 'this.cases.set(review.alert, review);',
    becomes: 'this.cases.set(review.alert + review.sequence, review);',
    catcher: cases,
  },
  {
    name: 'surveillance: a closed case can be closed again',
    file: 'src/gateway/endpoints/admin/alert-cases.ts',
    text: "if (wasClosed && status !== 'open') {",
    becomes: 'if (wasClosed && status == null) {',
    catcher: { file: 'test/http/surveillance.test.ts', test: 'reviews that do not fit the case' },
  },
];
