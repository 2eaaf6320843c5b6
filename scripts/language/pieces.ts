import { parse } from '@babel/parser';

/** A stretch of a source file. */
export interface Piece {
  /** `code` is one identifier, `text` a string, a part of a template or the text of an element. */
  readonly kind: 'code' | 'comment' | 'text';
  readonly text: string;
  /** Line that it begins in, from 1. */
  readonly line: number;
}

interface Token {
  readonly type: string | { readonly label: string };
  readonly value?: unknown;
  readonly loc: { readonly start: { readonly line: number } };
}

/** Returns the identifiers, comments and texts of a TypeScript file, in order. @throws SyntaxError */
export function readPieces(source: string, hasMarkup: boolean): Piece[] {
  const plugins = hasMarkup ? (['typescript', 'jsx'] as const) : (['typescript'] as const);
  const { tokens } = parse(source, { sourceType: 'module', plugins: [...plugins], tokens: true });
  return (tokens as unknown as Token[]).flatMap(({ type, value, loc }) => {
    if (typeof value !== 'string' || value === '') return [];
    const kind = classify(typeof type === 'string' ? type : type.label);
    return kind === undefined ? [] : [{ kind, text: value, line: loc.start.line }];
  });
}

function classify(label: string): Piece['kind'] | undefined {
  if (label === 'CommentBlock' || label === 'CommentLine') return 'comment';
  if (label === 'name' || label === '#name' || label === 'jsxName') return 'code';
  return ['string', 'template', 'jsxText'].includes(label) ? 'text' : undefined;
}
