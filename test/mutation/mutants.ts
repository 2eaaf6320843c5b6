import {
  type BinaryExpression,
  type CallExpression,
  type Node,
  type PostfixUnaryExpression,
  type PrefixUnaryExpression,
  type ReturnStatement,
  SyntaxKind,
} from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';

/** One small change of a file: its text from `start` to `end` is replaced by `text`. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const operators: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '<<=': ['>>='],
  '>>=': ['<<='],
  '>>>=': ['<<='],
  '&=': ['|='],
  '|=': ['&='],
  '^=': ['&='],
  '??=': ['='],
  '||=': ['='],
  '&&=': ['='],
};

/** Methods with an opposite, by which a mutant replaces them. */
const methods: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  every: 'some',
  some: 'every',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
/** Methods that a mutant leaves out, returning their object unchanged. */
const passing = new Set(['sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'filter', 'trim']);

/** Values that a function may return instead, by its declared return type. */
const returns: Readonly<Record<string, string>> = {
  number: '0',
  Exact: '0',
  bigint: '0n',
  string: "''",
};

/** Returns every mutant of a parsed file. Types, imports, texts and error messages have none. */
export function listMutants(file: Node): Mutant[] {
  const found = new Map<string, Mutant>();
  const visit = (node: Node): void => {
    if (isLeftAlone(node)) return;
    for (const mutant of mutantsAt(node)) {
      found.set(`${mutant.start} ${mutant.end} ${mutant.text}`, mutant);
    }
    if (!is.isThrowStatement(node)) node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return [...found.values()];
}

const hashes = new Set(['mix', 'mixNumber', 'mixText']);

function isLeftAlone(node: Node): boolean {
  if (is.isTypeNode(node) || is.isImportDeclaration(node) || is.isExportDeclaration(node))
    return true;
  if (is.isInterfaceDeclaration(node) || is.isTypeAliasDeclaration(node)) return true;
  if (is.isNewExpression(node) && node.expression.getText().endsWith('Error')) return true;
  // The message of an error class.
  if (is.isCallExpression(node) && node.expression.kind === SyntaxKind.SuperKeyword) return true;
  const { parent } = node;
  if (!is.isCallExpression(parent)) return false;
  const called = parent.expression.getText();
  // The message of an invariant, and the arbitrary seed of a hash.
  if (called === 'invariant') return node === parent.arguments[1];
  return (
    hashes.has(called) && is.isNumericLiteral(node) && is.isNumericLiteral(parent.arguments[0]!)
  );
}

function* mutantsAt(node: Node): Generator<Mutant> {
  if (is.isBinaryExpression(node)) yield* ofBinary(node);
  else if (is.isConditionalExpression(node)) yield* forced(node.condition, 'true', 'false');
  else if (is.isIfStatement(node)) yield* forced(node.expression, 'true', 'false');
  // A loop whose condition is always true only hangs.
  else if (is.isWhileStatement(node) || is.isDoStatement(node))
    yield* forced(node.expression, 'false');
  else if (is.isForStatement(node) && node.condition) yield* forced(node.condition, 'false');
  else if (is.isPrefixUnaryExpression(node) || is.isPostfixUnaryExpression(node))
    yield* ofUnary(node);
  else if (is.isCallExpression(node)) yield* ofCall(node);
  else if (is.isExpressionStatement(node) || is.isThrowStatement(node)) yield* removed(node);
  else if (is.isReturnStatement(node)) yield* ofReturn(node);
  else if (is.isBreakStatement(node) || is.isContinueStatement(node)) yield* ofJump(node);
  else if (is.isAwaitExpression(node)) yield replace(node, node.expression.getText());
  else yield* ofLiteral(node);
  if ('questionDotToken' in node && node.questionDotToken) {
    const dot = node.questionDotToken as Node;
    yield replace(dot, is.isPropertyAccessExpression(node) ? '.' : '');
  }
}

function* ofBinary(node: BinaryExpression): Generator<Mutant> {
  const operator = node.operatorToken.getText();
  const { left, right } = node;
  if (operator === '??') {
    yield replace(node, left.getText());
    yield replace(node, right.getText());
  }
  for (const other of operators[operator] ?? []) yield replace(node.operatorToken, other);
}

function* ofUnary(node: PrefixUnaryExpression | PostfixUnaryExpression): Generator<Mutant> {
  const operand = node.operand.getText();
  const other =
    node.operator === SyntaxKind.PlusPlusToken
      ? '--'
      : node.operator === SyntaxKind.MinusMinusToken
        ? '++'
        : undefined;
  if (other === undefined) yield replace(node, operand);
  else yield replace(node, is.isPostfixUnaryExpression(node) ? operand + other : other + operand);
}

function* ofCall({ expression }: CallExpression): Generator<Mutant> {
  if (!is.isPropertyAccessExpression(expression)) return;
  const name = expression.name.getText();
  const opposite = methods[name];
  if (opposite !== undefined) yield replace(expression.name, opposite);
  if (passing.has(name)) yield replace(expression.parent, expression.expression.getText());
}

function* ofReturn(node: ReturnStatement): Generator<Mutant> {
  const { expression } = node;
  if (expression === undefined) {
    yield* removed(node);
    return;
  }
  const type = returnTypeName(node);
  if (type === undefined) return;
  const text = expression.getText();
  const other = type.endsWith('[]')
    ? '[]'
    : type.endsWith('| undefined')
      ? 'undefined'
      : type === 'boolean' || type.startsWith('asserts')
        ? `!(${text})`
        : returns[type];
  const isSame = text === other || text === 'true' || text === 'false';
  if (other !== undefined && !isSame) yield replace(expression, other);
}

/** Returns the declared return type of the enclosing function. */
function returnTypeName(node: Node): string | undefined {
  let around = node.parent;
  while (around !== undefined && !is.isFunctionLikeDeclaration(around)) around = around.parent;
  return (around as { type?: Node } | undefined)?.type?.getText();
}

function* ofJump(node: Node): Generator<Mutant> {
  yield* removed(node);
  if (is.isContinueStatement(node)) yield replace(node, 'break;');
  else if (!inSwitch(node)) yield replace(node, 'continue;');
}

const loops = new Set([
  SyntaxKind.ForStatement,
  SyntaxKind.ForOfStatement,
  SyntaxKind.ForInStatement,
  SyntaxKind.WhileStatement,
  SyntaxKind.DoStatement,
]);

function inSwitch(node: Node): boolean {
  for (let around = node.parent; around !== undefined; around = around.parent) {
    if (is.isCaseClause(around) || is.isDefaultClause(around)) return true;
    if (loops.has(around.kind)) return false;
  }
  return false;
}

function* ofLiteral(node: Node): Generator<Mutant> {
  if (node.kind === SyntaxKind.TrueKeyword) yield replace(node, 'false');
  if (node.kind === SyntaxKind.FalseKeyword) yield replace(node, 'true');
  if (is.isArrayLiteralExpression(node) && node.elements.length > 0) yield replace(node, '[]');
  if (!is.isNumericLiteral(node) && !is.isBigIntLiteral(node)) return;
  // The name of a property, or a literal's type.
  if (is.isPropertyAssignment(node.parent) && node.parent.name === node) return;
  const text = node.getText().replaceAll('_', '');
  if (is.isBigIntLiteral(node)) {
    const value = BigInt(text.slice(0, -1));
    yield replace(node, `${value + 1n}n`);
    if (value > 0n) yield replace(node, `${value - 1n}n`);
  } else {
    const value = Number(text);
    yield replace(node, `${value + 1}`);
    if (value > 0) yield replace(node, `${value - 1}`);
  }
}

function* forced(condition: Node, ...values: string[]): Generator<Mutant> {
  for (const value of values) {
    if (condition.getText() !== value) yield replace(condition, value);
  }
}

/** Removes a statement. The only statement of an `if` is skipped: a mutant of its condition does the same. */
function* removed(node: Node): Generator<Mutant> {
  if (node.getText().startsWith('super(')) return;
  const { parent } = node;
  const guard = is.isBlock(parent) && parent.statements.length === 1 ? parent.parent : parent;
  const isWholeIf = is.isIfStatement(guard) && guard.elseStatement === undefined;
  if (!isWholeIf) yield replace(node, ';');
}

function replace(node: Node, text: string): Mutant {
  return { start: node.getStart(), end: node.getEnd(), text };
}
