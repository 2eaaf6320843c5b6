import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';

/** Languages other than English, whose texts are translated from web/messages/en.json. */
export const LANGUAGE_FILES = ['de', 'es', 'zh', 'ja'] as const;

/** Attributes and properties that users read. */
const SHOWN_PROPERTIES = new Set([
  'alt',
  'aria-label',
  'aria-roledescription',
  'caption',
  'empty',
  'heading',
  'hint',
  'label',
  'lead',
  'legend',
  'placeholder',
  'summary',
  'title',
  'verb',
  'dismiss',
]);

/** The beginning of a phrase: words such as `Escape` alone may be names of keys. */
const SENTENCE = /^\p{Lu}\p{Ll}+ \p{Ll}/u;

interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
  // biome-ignore lint/suspicious/noExplicitAny: nodes of all types
  readonly [property: string]: any;
}

/** A text that users would always read in English. */
export interface Untranslated {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The page without a network, which is complete before a script runs. */
const OFFLINE_PAGE = 'src/gateway/pages/offline-page.ts';

/** Returns the source files of the pages, relative to the root. */
export function listSources(root: string): string[] {
  const files = [...new Bun.Glob('web/**/*.{ts,tsx}').scanSync({ cwd: root }), OFFLINE_PAGE];
  return files.filter((file) => !/\.(test|d)\.tsx?$/.test(file)).sort();
}

/** The sources of pages for operators and developers, which are in English only. */
const ENGLISH_ONLY = /^web\/(pages\/)?(operator|design)\b/;
/** A language stays offered while a few new texts are not translated yet. */
const MIN_COMPLETE = 0.9;

/** Returns the source files of the pages of customers, relative to the root. */
export function listCustomerSources(root: string): string[] {
  return listSources(root).filter((file) => !ENGLISH_ONLY.test(file));
}

/** Returns the texts of the pages of customers, which a language needs to be offered. */
export function listCustomerTexts(root: string): string[] {
  const files = listCustomerSources(root);
  const texts = files.flatMap((file) => collectTexts(file, readFileSync(join(root, file), 'utf8')));
  return [...new Set(texts)];
}

/** Returns whether a language has the texts that it needs to be offered to users. */
export function isComplete(
  wanted: readonly string[],
  messages: Readonly<Record<string, string>>,
): boolean {
  return wanted.filter((text) => text in messages).length >= MIN_COMPLETE * wanted.length;
}

/** Returns the texts of a language by the English text. */
export function readMessages(root: string, language: string): Record<string, string> {
  return JSON.parse(readFileSync(join(root, 'web/messages', `${language}.json`), 'utf8'));
}

/**
 * Returns the texts that a file passes to `t`, `msg` and `T`.
 * @throws Error if a text is put together, or is translated before the language has loaded
 */
export function collectTexts(file: string, code: string): string[] {
  const texts: string[] = [];
  walk(parseFile(file, code), (node, _parent, isInFunction) => {
    const text = messageNode(node);
    if (text === undefined) return;
    if (!isInFunction && node.callee?.name !== 'msg')
      throw new Error(`${file}:${node.loc?.start.line}: mark texts of constants with msg()`);
    const literal = literalText(text);
    if (literal !== undefined) texts.push(literal);
    else if (text.type === 'TemplateLiteral' || text.type === 'BinaryExpression')
      throw new Error(`${file}:${text.loc?.start.line}: pass a literal, with {placeholders}`);
    else texts.push(...branches(text));
  });
  return texts;
}

/** Returns the literal texts that a file shows without translating them. */
export function findUntranslated(file: string, code: string): Untranslated[] {
  const found: Untranslated[] = [];
  const add = (node: Node, text: string | undefined) => {
    if (text === undefined || !/\p{L}{2}/u.test(text)) return;
    found.push({ file, line: node.loc!.start.line, text: text.trim().replace(/\s+/g, ' ') });
  };
  const known = new Set<Node>();
  walk(parseFile(file, code), (node, parent) => {
    // Errors of the program are for its developers.
    if (messageNode(node) !== undefined || node.callee?.name === 'Error') {
      walk(node, (each) => known.add(each));
    }
    if (/^(String|Template)Literal$/.test(node.type) && !known.has(node)) {
      const text = literalText(node) ?? templateText(node);
      if (text !== undefined && SENTENCE.test(text)) add(node, text);
    }
    if (node.type === 'JSXText' && !isCode(parent)) add(node, node.value);
    if (node.type === 'JSXAttribute' && SHOWN_PROPERTIES.has(node.name.name)) {
      const value =
        node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value;
      for (const each of alternatives(value)) add(each, literalText(each) ?? templateText(each));
    }
    if (node.type === 'ObjectProperty' && SHOWN_PROPERTIES.has(node.key.name ?? node.key.value)) {
      for (const each of alternatives(node.value))
        add(each, literalText(each) ?? templateText(each));
    }
    if (node.type === 'JSXExpressionContainer' && parent?.type === 'JSXElement') {
      for (const each of alternatives(node.expression))
        add(each, literalText(each) ?? templateText(each));
    }
    if (node.type === 'CallExpression' && ['announce', 'fail'].includes(node.callee.name)) {
      for (const each of alternatives(node.arguments[0]))
        add(each, literalText(each) ?? templateText(each));
    }
  });
  return found;
}

function parseFile(file: string, code: string): Node {
  const plugins = file.endsWith('.tsx')
    ? (['typescript', 'jsx'] as const)
    : (['typescript'] as const);
  return parse(code, { sourceType: 'module', plugins: [...plugins] }) as unknown as Node;
}

/** Returns the node of the text that `t`, `msg` or `T` gets. */
function messageNode(node: Node): Node | undefined {
  if (node.type === 'CallExpression' && ['t', 'msg'].includes(node.callee.name))
    return node.arguments[0];
  if (node.type !== 'JSXOpeningElement' || node.name.name !== 'T') return undefined;
  const { value } = node.attributes.find((each: Node) => each.name?.name === 'text');
  return value.type === 'JSXExpressionContainer' ? value.expression : value;
}

/** Returns the literals of `condition ? 'a' : 'b'`. */
function branches(node: Node): string[] {
  return alternatives(node).flatMap((each) => literalText(each) ?? []);
}

function alternatives(node: Node | null | undefined): Node[] {
  if (node?.type === 'ConditionalExpression')
    return [...alternatives(node.consequent), ...alternatives(node.alternate)];
  return node ? [node] : [];
}

function literalText(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? node.quasis[0].value.cooked
    : undefined;
}

/** Returns the letters of a template, without its values. */
function templateText(node: Node): string | undefined {
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map((part: Node) => part.value.cooked).join('…');
}

/** Returns whether text in an element is code, which is the same in all languages. */
function isCode(parent: Node | undefined): boolean {
  return ['code', 'kbd', 'pre', 'samp'].includes(parent?.openingElement?.name?.name);
}

function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, isInFunction: boolean) => void,
  parent?: Node,
  isInFunction = false,
): void {
  visit(node, parent, isInFunction);
  const isInside = isInFunction || /Function|Method/.test(node.type);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, visit, node, isInside);
    }
  }
}
