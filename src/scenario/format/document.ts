import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import { OperatorError } from '../../monitoring/operator-error.ts';

/** Maximum size of a scenario, in characters. */
export const MAX_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 20;
/** Maximum number of problems that one error lists. */
const MAX_PROBLEMS = 20;
const MAX_SHOWN_COLUMNS = 120;
/** Control characters and characters that change the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Keys and indices that lead from the top of a document to a value. */
export type Path = readonly (string | number)[];

/** A mistake at a place of a document: in the value there, or in its key. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Points at the key instead of the value. */
  readonly isKey?: boolean;
}

/** A problem with its place, lines and columns from 1. */
export interface LocatedProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A scenario that cannot be used: every problem with file, line, column and the lines around it. */
export class ScenarioFileError extends OperatorError {
  override readonly name = 'ScenarioFileError';

  /** @param problems The problems that the message describes; none if the file cannot be read at all. */
  constructor(
    message: string,
    readonly problems: readonly LocatedProblem[] = [],
  ) {
    super(message);
  }
}

/** Offsets of a text: from its first character to the one after its last. */
type Range = readonly [from: number, to: number];

/**
 * A parsed YAML document. JSON is YAML too. Numbers are kept as the text in the file, so that decimals stay exact;
 * everything else has its usual value.
 */
export class ScenarioDocument {
  readonly value: unknown;
  private readonly lineCounter = new LineCounter();
  private readonly document: Document;
  private readonly lines: readonly string[];

  /**
   * @param file Name of the file in messages.
   * @throws ScenarioFileError if the text is not one YAML document without aliases
   */
  constructor(
    readonly file: string,
    private readonly text: string,
  ) {
    if (text.length > MAX_CHARACTERS) {
      throw new ScenarioFileError(
        `${file} has ${text.length} characters. A scenario may have ${MAX_CHARACTERS}.`,
      );
    }
    this.lines = text.split(/\r?\n/);
    this.document = this.parse();
    // Further errors of the parser are mostly consequences of the first.
    const [fault] = [...this.document.errors, ...this.document.warnings];
    if (fault !== undefined) throw this.rejection(explain(fault), fault.pos);
    this.value = this.read(this.document.contents, 0);
  }

  /** Returns the error for problems, in the order of the file. */
  error(problems: readonly Problem[]): ScenarioFileError {
    const byPlace = new Map<string, { range: Range; messages: string[] }>();
    for (const { path, isKey, message } of problems.slice(0, MAX_PROBLEMS)) {
      const range = this.locate(path, isKey === true);
      const found = byPlace.get(`${range}`) ?? { range, messages: [] };
      found.messages.push(message);
      byPlace.set(`${range}`, found);
    }
    const places = [...byPlace.values()].sort((one, other) => one.range[0] - other.range[0]);
    const texts = places.map(({ range, messages }) => this.describe(messages, range));
    const hidden = problems.length - MAX_PROBLEMS;
    if (hidden > 0) texts.push(`${hidden} more problems are not shown.`);
    const located = places.flatMap(({ range, messages }) =>
      messages.map((message) => ({ ...this.place(range), message })),
    );
    return new ScenarioFileError(texts.join('\n\n'), located);
  }

  /** Returns `file:line:column` of the value at a path, or of the last part of the path that exists. */
  position(path: Path): string {
    const { file, line, column } = this.place(this.locate(path, false));
    return `${file}:${line}:${column}`;
  }

  private parse(): Document {
    try {
      return parseDocument(this.text, { lineCounter: this.lineCounter, prettyErrors: false });
    } catch (error) {
      // The parser is recursive.
      if (!(error instanceof RangeError)) throw error;
      throw new ScenarioFileError(`${this.file} is nested too deeply.`);
    }
  }

  private read(node: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.nodeError(node, 'This is nested too deeply.');
    if (isAlias(node)) throw this.nodeError(node, 'Write the value here: aliases are not read.');
    if (isMap(node)) {
      const entries = node.items.map((pair): [string, unknown] => [
        this.readKey(pair),
        this.read(pair.value, depth + 1),
      ]);
      return Object.fromEntries(entries);
    }
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (!isScalar(node)) return undefined;
    const { value, source } = node;
    return typeof value === 'number' || typeof value === 'bigint' ? (source ?? `${value}`) : value;
  }

  private readKey({ key }: Pair): string {
    if (isScalar(key) && key.value !== null) return key.source ?? `${key.value}`;
    throw this.nodeError(key, 'A key must be a text.');
  }

  private nodeError(node: unknown, message: string): ScenarioFileError {
    return this.rejection(message, this.toRange(node) ?? [0, 0]);
  }

  private rejection(message: string, range: Range): ScenarioFileError {
    return new ScenarioFileError(this.describe([message], range), [
      { ...this.place(range), message },
    ]);
  }

  private place([from]: Range) {
    const { line, col } = this.lineCounter.linePos(from);
    return { file: this.file, line, column: col };
  }

  private locate(path: Path, isKey: boolean): Range {
    let node: unknown = this.document.contents;
    let found = this.toRange(node) ?? [0, 0];
    for (const [index, part] of path.entries()) {
      const isLast = index === path.length - 1;
      if (isMap(node)) {
        const pair = node.items.find((each) => isScalar(each.key) && this.readKey(each) === part);
        if (pair === undefined) return found;
        found = this.toRange(isLast && isKey ? pair.key : pair.value) ?? this.toRange(pair.key)!;
        // A mapping is reported by its key, because it begins with the key of its first value.
        if (isLast && (isMap(pair.value) || isSeq(pair.value))) found = this.toRange(pair.key)!;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(part)];
        found = this.toRange(node) ?? found;
      }
    }
    return found;
  }

  private toRange(node: unknown): Range | undefined {
    const range = (node as { readonly range?: readonly [number, number, number] } | null)?.range;
    if (range == null) return undefined;
    // An empty value has no characters: its key is shown.
    return range[0] === range[1] ? undefined : [range[0], range[1]];
  }

  /** Returns messages about a place, and the lines around it. */
  private describe(messages: readonly string[], range: Range): string {
    const { line, column } = this.place(range);
    const { lines } = this;
    const width = `${line + 1}`.length;
    // Long lines are cut around the place.
    const skipped = column > MAX_SHOWN_COLUMNS ? column - MAX_SHOWN_COLUMNS / 2 : 0;
    const show = (at: number, mark: string) => {
      const shown = (lines[at - 1] ?? '').slice(skipped, skipped + MAX_SHOWN_COLUMNS);
      return `${mark} ${`${at}`.padStart(width)} | ${shown.replace(UNPRINTABLE, ' ')}`.trimEnd();
    };
    const rest = Math.min((lines[line - 1] ?? '').length - skipped, MAX_SHOWN_COLUMNS);
    const indent = column - 1 - skipped;
    const length = Math.max(1, Math.min(range[1] - range[0], rest - indent));
    return [
      ...messages.map((message) => `${this.file}:${line}:${column}: ${message}`),
      ...(line > 1 ? [show(line - 1, ' ')] : []),
      show(line, '>'),
      `  ${' '.repeat(width)} | ${' '.repeat(indent)}${'^'.repeat(length)}`,
      ...(line < lines.length ? [show(line + 1, ' ')] : []),
    ].join('\n');
  }
}

/** Returns the message of the parser as a sentence, or a clearer one for frequent errors. */
function explain({ code, message }: YAMLParseError | YAMLWarning): string {
  if (message.startsWith('Block scalar header')) {
    return 'A text that begins with > or | must be in quotes. Comparisons are words: "at least 3".';
  }
  if (code === 'MULTIPLE_DOCS') return 'A file has one scenario, without "---" between two.';
  if (/call stack/.test(message)) return 'This is nested too deeply.';
  return /[.?!]$/.test(message) ? message : `${message}.`;
}
