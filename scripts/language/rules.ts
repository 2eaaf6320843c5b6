import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type Piece, readPieces } from './pieces.ts';
import { EXCEPTIONS, RETIRED_TERMS } from './terms.ts';

/** A breach of the rules of writing. */
export interface Finding {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly rule: string;
  /** The text that breaks the rule. */
  readonly text: string;
  readonly instead: string;
}

const MAX_SUBJECT_CHARACTERS = 72;
/** Openings of doc comments that have no subject: a reader learns only later what they are about. */
const HEADLESS =
  /^(What|Who|Whom|Whose|Whoever|Whatever|How|Where|All that|Those|Of|That|Whether or not)\b(?! is\b.*\?)/;
const LINK = /\]\(([^)\s]+)\)/g;
const TABLE_RULE = /^\s*\|(\s*:?-+:?\s*\|)+\s*$/;

const terms = RETIRED_TERMS.map(({ pattern, instead, where }) => {
  const hasCapital = /[A-Z]/.test(pattern);
  return {
    pattern,
    instead,
    inProse: where !== 'code',
    inCode: where !== 'prose',
    prose: new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, hasCapital ? 'g' : 'gi'),
    /** Whole identifiers, or parts of one in camel case. */
    code: hasCapital ? new RegExp(`\\b(?:${pattern})\\b`, 'g') : partPattern(pattern),
  };
});

/** Matches `word`, `wordOf`, `ofWord` and `OF_WORD`. */
function partPattern(pattern: string): RegExp {
  const capital = pattern.replace(
    /(^|\|)([a-z])/g,
    (_, before, letter) => before + letter.toUpperCase(),
  );
  const upper = pattern.replaceAll(/\(\?:|[a-z]/g, (part) =>
    part === '(?:' ? part : part.toUpperCase(),
  );
  return new RegExp(
    `\\b(?:${pattern})(?=[A-Z]|\\b)|(?<=[a-z0-9])(?:${capital})(?=[A-Z]|\\b)|\\b(?:${capital})(?=[A-Z]|\\b)|(?<=\\b|_)(?:${upper})(?=_|\\b)`,
    'g',
  );
}

/** Returns the breaches in a file of TypeScript: terms, doc comments without a subject, marks of unfinished work. */
export function checkCode(file: string, text: string): Finding[] {
  const found: Finding[] = [];
  for (const piece of readPieces(text, file.endsWith('.tsx'))) {
    // A string without a space is a name of the program: of a field, a file, an element.
    if (piece.kind === 'text' && !piece.text.trim().includes(' ')) continue;
    found.push(...termsIn(file, piece, piece.kind !== 'code'));
    if (piece.kind !== 'comment') continue;
    found.push(...marksIn(file, piece));
    const opening = /^\*[\s*]*([^\n]*)/.exec(piece.text)?.[1];
    if (opening !== undefined && HEADLESS.test(opening)) {
      const instead = 'a noun phrase such as "The …", or a verb such as "Returns …"';
      found.push({ file, line: piece.line, rule: 'headless doc comment', text: opening, instead });
    }
  }
  return found;
}

/** Returns the breaches in a document: terms, links that lead nowhere, tables without a header. */
export function checkDocument(file: string, text: string, root: string): Finding[] {
  const prose = text.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ' '));
  const piece: Piece = {
    kind: 'comment',
    text: prose.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length)),
    line: 1,
  };
  return [
    ...termsIn(file, piece, true),
    ...marksIn(file, piece),
    ...deadLinks(file, prose, root),
    ...headlessTables(file, prose),
  ];
}

/** Returns the breaches in a configuration file, script or style sheet: terms and marks of unfinished work. */
export function checkText(file: string, text: string): Finding[] {
  const piece: Piece = { kind: 'comment', text, line: 1 };
  return [...termsIn(file, piece, true), ...marksIn(file, piece)];
}

/** Returns a finding for each commit subject that is too long. @param subjects `HASH subject` */
export function checkSubjects(subjects: readonly string[]): Finding[] {
  return subjects.flatMap((line) => {
    const subject = line.slice(line.indexOf(' ') + 1);
    if (subject.length <= MAX_SUBJECT_CHARACTERS) return [];
    const instead = `at most ${MAX_SUBJECT_CHARACTERS} characters, this has ${subject.length}`;
    return [
      {
        file: `commit ${line.split(' ')[0]}`,
        line: 1,
        rule: 'commit subject',
        text: subject,
        instead,
      },
    ];
  });
}

function termsIn(file: string, { text, line }: Piece, isProse: boolean): Finding[] {
  const found: Finding[] = [];
  for (const { pattern, instead, inProse, inCode, prose, code } of terms) {
    if (isProse ? !inProse : !inCode) continue;
    if (EXCEPTIONS.some((one) => one.pattern === pattern && file.startsWith(one.file))) continue;
    for (const match of text.matchAll(isProse ? prose : code)) {
      found.push({
        file,
        line: line + linesBefore(text, match.index),
        rule: 'retired term',
        text: match[0],
        instead,
      });
    }
  }
  return found;
}

function marksIn(file: string, { text, line }: Piece): Finding[] {
  return [...text.matchAll(/\b(XXX|FIXME|TODO)\b/g)].map((match) => ({
    file,
    line: line + linesBefore(text, match.index),
    rule: 'unfinished work',
    text: match[0],
    instead: 'the work itself, or an issue',
  }));
}

/** The folder of a package; packing copies documents of the root into it. */
const PACKAGE = /^packages\/[^/]+\//;

function deadLinks(file: string, text: string, root: string): Finding[] {
  const found: Finding[] = [];
  for (const match of text.matchAll(LINK)) {
    const target = match[1]!.split('#')[0]!;
    if (target === '' || /^[a-z]+:/.test(target)) continue;
    const path = normalize(join(dirname(file), target));
    if (existsSync(join(root, path)) || existsSync(join(root, path.replace(PACKAGE, '')))) continue;
    const line = 1 + linesBefore(text, match.index);
    found.push({
      file,
      line,
      rule: 'dead link',
      text: match[1]!,
      instead: 'the path of a file that is there',
    });
  }
  return found;
}

/** A table's header is the line above its rule; one without words has no header. */
function headlessTables(file: string, text: string): Finding[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!TABLE_RULE.test(line) || /\w/.test(lines[index - 1] ?? '')) return [];
    return [
      {
        file,
        line: index + 1,
        rule: 'table without header',
        text: line.trim(),
        instead: 'a name for each column',
      },
    ];
  });
}

function linesBefore(text: string, index: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1))
    lines++;
  return lines;
}
