import type { Mutant } from './mutants.ts';

/** A mutant by its changed lines before and after, so that it stays valid when line numbers change. */
export interface Change {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export function toChange(file: string, text: string, { start, end, text: other }: Mutant): Change {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd === -1 ? text.length : lineEnd;
  return {
    file,
    before: oneLine(text.slice(from, to)),
    after: oneLine(text.slice(from, start) + other + text.slice(end, to)),
  };
}

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

export function lineNumber(text: string, { start }: Mutant): number {
  return text.slice(0, start).split('\n').length;
}

/** Formats a mutant as a line of survivors.md. */
export function written({ file, before, after }: Change): string {
  return `- ${file}: \`\`${before}\`\` → \`\`${after}\`\``;
}

/** Returns the lines of survivors.md that explain a mutant. */
export function explained(markdown: string): Set<string> {
  return new Set(markdown.split('\n').filter((line) => line.startsWith('- src/')));
}
