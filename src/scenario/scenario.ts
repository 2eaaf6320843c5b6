import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { FUNDS } from '../config/sandbox-funds.ts';
import { type Path, type Problem, ScenarioDocument, ScenarioFileError } from './format/document.ts';
import { parseExpression } from './format/expression.ts';
import { toProblems, unknownName } from './format/problems.ts';
import {
  ACTIONS,
  type ActionKind,
  EXPECTATIONS,
  type Expectation,
  type ExpectationKind,
  type Program,
  type ScenarioContent,
  scenarioSchema,
  type TimelineEntry,
} from './format/schema.ts';

export { ScenarioFileError } from './format/document.ts';

/** The markets of every sandbox. */
export const SANDBOX_SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'ETH/BTC'] as const;
/** Accounts that every sandbox has. */
const RESERVED_ACCOUNTS = ['alice', 'bob', 'operator'];
/** Rules that a market needs if the sandbox does not have it. */
const LISTING_RULES = [
  'tickSize',
  'stepSize',
  'maxAmount',
  'maxPrice',
  'minNotional',
  'makerFee',
  'takerFee',
  'referencePrice',
] as const;
/** The runner asks the streams of a bot twice per step, of 50 messages that they may send per second. */
const MIN_STEP_MS = 250;
const MAX_STEPS = 1_000_000;
const MAX_ACTIONS = 100_000;
const MAX_LEVELS = 1000;

/** A scenario, read and checked. */
export interface Scenario {
  /** Path of its file, as it was given. */
  readonly file: string;
  /** The text of the file. */
  readonly text: string;
  readonly content: ScenarioContent;
  /** Returns `file:line:column` of a value. */
  readonly position: (path: Path) => string;
  /** Returns the absolute path of a file that the scenario names. */
  readonly resolve: (path: string) => string;
}

/**
 * Reads and checks a scenario.
 * @throws ScenarioFileError with every problem
 */
export function readScenario(file: string): Scenario {
  return parseScenario(file, readText(file));
}

/** Checks the text of a scenario. @throws ScenarioFileError with every problem */
export function parseScenario(file: string, text: string): Scenario {
  const document = new ScenarioDocument(file, text);
  const parsed = scenarioSchema.safeParse(document.value, { reportInput: true });
  if (!parsed.success) {
    throw document.error(toProblems(scenarioSchema, document.value, parsed.error));
  }
  const problems = findProblems(parsed.data, (path) => resolve(dirname(file), path));
  if (problems.length > 0) throw document.error(problems);
  return {
    file,
    text,
    content: parsed.data,
    position: (path) => document.position(path),
    resolve: (path) => resolve(dirname(file), path),
  };
}

/** Returns the kind of a checked entry of the timeline. */
export function actionKind(entry: TimelineEntry): ActionKind {
  return kindsIn(entry, ACTIONS)[0] as ActionKind;
}

/** Returns the kind of a checked expectation. */
export function expectationKind(expectation: Expectation): ExpectationKind {
  return kindsIn(expectation, EXPECTATIONS)[0] as ExpectationKind;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ScenarioFileError(
      isMissing
        ? `There is no file ${file}.`
        : `${file} cannot be read: ${(error as Error).message}`,
    );
  }
}

/** Returns what is wrong with a scenario whose values have the right form. */
function findProblems(content: ScenarioContent, toPath: (path: string) => string): Problem[] {
  return [
    ...timeProblems(content),
    ...marketProblems(content),
    ...programProblems(content, toPath),
    ...content.timeline.flatMap((entry, index) =>
      entryProblems(content, entry, ['timeline', index]),
    ),
    ...content.expect.flatMap((each, index) =>
      expectationProblems(content, each, ['expect', index]),
    ),
    ...nameProblems(content),
  ];
}

function timeProblems({ step, duration, timeline }: ScenarioContent): Problem[] {
  const found: Problem[] = [];
  const add = (field: string, message: string) => found.push({ path: [field], message });
  if (step < MIN_STEP_MS) add('step', `"step" must be at least ${MIN_STEP_MS}ms.`);
  if (duration < step) add('duration', '"duration" must be at least one step.');
  else if (duration / Math.max(step, 1) > MAX_STEPS) {
    add('duration', `A scenario may have ${MAX_STEPS} steps. Use a longer "step".`);
  }
  const actions = timeline.reduce((sum, { repeat }) => sum + (repeat?.times ?? 1), 0);
  if (actions > MAX_ACTIONS) {
    add(
      'timeline',
      `A timeline may have ${MAX_ACTIONS} actions, repetitions included, not ${actions}.`,
    );
  }
  return found;
}

function marketProblems({ markets }: ScenarioContent): Problem[] {
  return Object.entries(markets).flatMap(([symbol, rules]) => {
    if (SANDBOX_SYMBOLS.some((each) => each === symbol)) return [];
    const missing = LISTING_RULES.filter((rule) => rules[rule] === undefined);
    if (missing.length === 0) return [];
    const message = `The sandbox does not have ${symbol}, so it needs: ${missing.join(', ')}.`;
    return [{ path: ['markets', symbol], isKey: true, message }];
  });
}

function programProblems(content: ScenarioContent, toPath: (path: string) => string): Problem[] {
  const programs: [string, Program | undefined][] = [
    ['bot', content.bot],
    ['naive', content.naive],
  ];
  return programs.flatMap(([field, program]) => {
    if (program === undefined) return [];
    const { module, command } = program;
    if ((module === undefined) === (command === undefined)) {
      return [{ path: [field], message: `"${field}" needs either "module" or "command".` }];
    }
    if (module === undefined || existsSync(toPath(module))) return [];
    return [
      { path: [field, 'module'], message: `There is no file ${module} next to the scenario.` },
    ];
  });
}

function entryProblems(content: ScenarioContent, entry: TimelineEntry, path: Path): Problem[] {
  const found: Problem[] = [];
  const kinds = kindsIn(entry, ACTIONS);
  if (kinds.length !== 1) found.push({ path, message: oneKind('An action', kinds, ACTIONS) });
  const { at, repeat, ladder, order } = entry;
  const last = at + (repeat === undefined ? 0 : repeat.every * (repeat.times - 1));
  if (repeat !== undefined && (repeat.every === 0 || repeat.times < 2)) {
    const message = '"repeat" must be at least twice, with a time between.';
    found.push({ path: [...path, 'repeat'], message });
  } else if (last > content.duration) {
    const message = 'This is after the end of the scenario: see "duration".';
    found.push({ path: [...path, repeat === undefined ? 'at' : 'repeat'], message });
  }
  if (ladder !== undefined && !(ladder.levels >= 1 && ladder.levels <= MAX_LEVELS)) {
    const message = `"levels" must be from 1 to ${MAX_LEVELS}.`;
    found.push({ path: [...path, 'ladder', 'levels'], message });
  }
  if (order !== undefined && (order.amount === undefined) === (order.cost === undefined)) {
    found.push({ path: [...path, 'order'], message: 'An order needs either "amount" or "cost".' });
  }
  return found;
}

function expectationProblems(
  { duration }: ScenarioContent,
  expectation: Expectation,
  path: Path,
): Problem[] {
  const kinds = kindsIn(expectation, EXPECTATIONS);
  if (kinds.length !== 1) {
    return [{ path, message: oneKind('An expectation', kinds, EXPECTATIONS) }];
  }
  const found: Problem[] = [];
  const kind = kinds[0] as ExpectationKind;
  const allowed: readonly string[] = EXPECTATIONS[kind];
  const names = allowed.map((name) => name.replace('!', ''));
  for (const field of Object.keys(expectation)) {
    if ([kind, 'at', 'because', ...names].includes(field)) continue;
    const message = `"${field}" does not belong to "${kind}", which has: ${[...names, 'at', 'because'].join(', ')}.`;
    found.push({ path: [...path, field], isKey: true, message });
  }
  for (const name of allowed.filter((each) => each.endsWith('!'))) {
    const field = name.slice(0, -1);
    if (field in expectation) continue;
    const message = `"${kind}" needs "${field}", such as ${field}: at least 1.`;
    found.push({ path: [...path, kind], isKey: true, message });
  }
  if (expectation.at !== undefined && expectation.at > duration) {
    const message = 'This is after the end of the scenario: see "duration".';
    found.push({ path: [...path, 'at'], message });
  }
  return found;
}

/** Returns the accounts, assets and markets that the scenario names and nothing declares. */
function nameProblems(content: ScenarioContent): Problem[] {
  const accounts = Object.keys(content.accounts);
  const symbols: string[] = [...SANDBOX_SYMBOLS, ...Object.keys(content.markets)];
  const assets = [
    ...new Set([...Object.keys(FUNDS), ...symbols.flatMap((each) => each.split('/'))]),
  ];
  const known = { account: accounts, symbol: symbols, filled: symbols, asset: assets };
  const found: Problem[] = [];
  const check = (
    kind: string,
    name: unknown,
    names: readonly string[],
    path: Path,
    isKey = false,
  ) => {
    if (typeof name !== 'string' || names.includes(name)) return;
    found.push({ path, isKey, message: unknownName(kind, name, names) });
  };
  const checkFields = (value: object, path: Path) => {
    for (const [field, name] of Object.entries(value)) {
      const at = [...path, field];
      if (field === 'account') check('account', name, known.account, at);
      if (field === 'symbol' || field === 'filled') check('market', name, known.symbol, at);
      if (['asset', 'balance', 'equity', 'pnl', 'position'].includes(field)) {
        check('asset', name, known.asset, at);
      }
    }
  };
  for (const account of accounts) {
    const path = ['accounts', account];
    if (RESERVED_ACCOUNTS.includes(account)) {
      found.push({
        path,
        isKey: true,
        message: `The sandbox has an account ${account}. Use another name.`,
      });
    }
    for (const asset of Object.keys(content.accounts[account]!)) {
      check('asset', asset, assets, [...path, asset], true);
    }
  }
  checkFields(content.bot, ['bot']);
  checkFields(content.makers ?? {}, ['makers']);
  for (const [index, entry] of content.timeline.entries()) {
    for (const kind of kindsIn(entry, ACTIONS)) {
      const action = entry[kind as ActionKind];
      if (typeof action === 'object') checkFields(action, ['timeline', index, kind]);
    }
  }
  for (const [index, expectation] of content.expect.entries()) {
    checkFields(expectation, ['expect', index]);
    if (expectation.check === undefined) continue;
    const problem = parseExpression(expectation.check, { accounts, symbols, assets });
    if ('problem' in problem)
      found.push({ path: ['expect', index, 'check'], message: problem.problem });
  }
  return found;
}

function kindsIn(value: object, kinds: object): string[] {
  return Object.keys(value).filter((key) => key in kinds);
}

function oneKind(subject: string, kinds: readonly string[], known: object): string {
  const names = Object.keys(known).join(', ');
  return kinds.length === 0
    ? `${subject} needs one of: ${names}.`
    : `${subject} has only one of ${kinds.join(' and ')}: write two entries.`;
}
