/** Returns the most similar candidate; undefined if none is similar. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  return words
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 3))
    .sort((one, other) => one.distance - other.distance)[0]?.candidate;
}

/** Returns the number of insertions, deletions, substitutions and swaps of neighbors (Damerau-Levenshtein distance). */
export function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let minimum = Math.min(
        previous[j]! + 1,
        current[j - 1]! + 1,
        previous[j - 1]! + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwap) minimum = Math.min(minimum, beforePrevious[j - 2]! + 1);
      current.push(minimum);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
}
