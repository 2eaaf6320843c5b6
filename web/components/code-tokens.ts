/** A part of code, with the kind that gives it a color; undefined for the color of text. */
export interface CodeToken {
  readonly kind: 'comment' | 'key' | 'keyword' | 'number' | 'string' | undefined;
  readonly text: string;
}

const KEYWORDS =
  'async|await|const|def|defer|else|fn|for|from|func|if|import|in|let|mut|new|package|print|pub|return|struct|type|use|var|with';

/**
 * The kinds in all languages of the pages: shell, JSON, TypeScript, Python, Go and Rust. A comment needs a space after its
 * mark, which addresses do not have, and a number none of the characters before it that names and addresses have.
 */
const TOKENS = new RegExp(
  [
    /(?<comment>(?:#|\/\/) .*)/,
    /(?<key>"(?:\\.|[^"\\\n])*"(?=:))/,
    /(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/,
    new RegExp(`(?<keyword>(?<![\\w.-])(?:${KEYWORDS})(?![\\w.:-]))`),
    /(?<number>(?<![\w./:-])(?:\d[\d_.]*|true|false|null|True|False|None)(?!\w))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Splits code into parts that together are the text. */
export function readTokens(text: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    if (match.index > end) tokens.push({ kind: undefined, text: text.slice(end, match.index) });
    const [kind] = Object.entries(match.groups!).find(([, found]) => found !== undefined)!;
    tokens.push({ kind: kind as CodeToken['kind'], text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: undefined, text: text.slice(end) });
  return tokens;
}
