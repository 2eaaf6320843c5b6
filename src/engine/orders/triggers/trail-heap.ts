/** An entry of a leftist heap, by key, tie, then id. These may only change while it is in no heap. */
export interface HeapNode<Node> {
  key: number;
  tie: number;
  readonly id: number;
  rank: number;
  left: Node | null;
  right: Node | null;
  parent: Node | null;
}

/**
 * Leftist heaps of trailing stops, and of groups of them: two heaps become one, and any entry leaves, in logarithmic
 * time. A heap is its first entry, null if it is empty.
 */

/** Returns one heap with the entries of both. */
export function meld<Node extends HeapNode<Node>>(a: Node | null, b: Node | null): Node | null {
  if (a === null) return b;
  if (b === null) return a;
  const isFirst = isBefore(a, b);
  const first = isFirst ? a : b;
  const right = meld(first.right, isFirst ? b : a)!;
  right.parent = first;
  first.right = right;
  settle(first);
  return first;
}

/** Returns the heap with an entry that is in none. */
export function insert<Node extends HeapNode<Node>>(heap: Node | null, node: Node): Node {
  return meld(heap, node)!;
}

/** Returns the heap without one of its entries. */
export function remove<Node extends HeapNode<Node>>(heap: Node, node: Node): Node | null {
  const { parent } = node;
  const rest = meld(node.left, node.right);
  if (rest !== null) rest.parent = parent;
  node.left = null;
  node.right = null;
  node.parent = null;
  node.rank = 1;
  if (parent === null) return rest;
  if (parent.left === node) parent.left = rest;
  else parent.right = rest;
  for (let at: Node | null = parent; at !== null; at = at.parent) {
    const { rank } = at;
    settle(at);
    if (at.rank === rank) break;
  }
  return heap;
}

/** Visits the entries of a heap, in no particular order. */
export function forEachNode<Node extends HeapNode<Node>>(
  heap: Node | null,
  visit: (node: Node) => void,
): void {
  const stack = heap === null ? [] : [heap];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node);
    if (node.left !== null) stack.push(node.left);
    if (node.right !== null) stack.push(node.right);
  }
}

/** Returns whether `a` comes before `b`. */
export function isBefore<Node extends HeapNode<Node>>(a: Node, b: Node): boolean {
  if (a.key !== b.key) return a.key < b.key;
  return a.tie === b.tie ? a.id < b.id : a.tie < b.tie;
}

/** Moves the shorter way to an empty place to the right, where entries are inserted. */
function settle<Node extends HeapNode<Node>>(node: Node): void {
  const { left, right } = node;
  const leftRank = left === null ? 0 : left.rank;
  const rightRank = right === null ? 0 : right.rank;
  if (leftRank < rightRank) {
    node.left = right;
    node.right = left;
  }
  node.rank = Math.min(leftRank, rightRank) + 1;
}
