import type { Trail } from './trail.ts';

/**
 * Leftist heaps of trailing stops by key, then id: two heaps become one, and any order leaves, in logarithmic time. A
 * heap is its first order, null if it is empty.
 */

/** Returns one heap with the orders of both. */
export function meld(a: Trail | null, b: Trail | null): Trail | null {
  if (a === null) return b;
  if (b === null) return a;
  const isFirst = a.key === b.key ? a.id < b.id : a.key < b.key;
  const first = isFirst ? a : b;
  const right = meld(first.right, isFirst ? b : a)!;
  right.parent = first;
  first.right = right;
  settle(first);
  return first;
}

/** Returns the heap with an order that is in none. */
export function insert(heap: Trail | null, trail: Trail): Trail {
  return meld(heap, trail)!;
}

/** Returns the heap without one of its orders. */
export function remove(heap: Trail, trail: Trail): Trail | null {
  const { parent } = trail;
  const rest = meld(trail.left, trail.right);
  if (rest !== null) rest.parent = parent;
  trail.left = null;
  trail.right = null;
  trail.parent = null;
  trail.rank = 1;
  if (parent === null) return rest;
  if (parent.left === trail) parent.left = rest;
  else parent.right = rest;
  for (let at: Trail | null = parent; at !== null; at = at.parent) {
    const { rank } = at;
    settle(at);
    if (at.rank === rank) break;
  }
  return heap;
}

/** Visits the orders of a heap, in no particular order. */
export function forEachTrail(heap: Trail | null, visit: (trail: Trail) => void): void {
  const stack = heap === null ? [] : [heap];
  for (let trail = stack.pop(); trail !== undefined; trail = stack.pop()) {
    visit(trail);
    if (trail.left !== null) stack.push(trail.left);
    if (trail.right !== null) stack.push(trail.right);
  }
}

/** Moves the shorter way to an empty place to the right, where orders are inserted. */
function settle(trail: Trail): void {
  const { left, right } = trail;
  const leftRank = left === null ? 0 : left.rank;
  const rightRank = right === null ? 0 : right.rank;
  if (leftRank < rightRank) {
    trail.left = right;
    trail.right = left;
  }
  trail.rank = Math.min(leftRank, rightRank) + 1;
}
