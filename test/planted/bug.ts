/** A mistake that somebody might make, and who must notice it. */
export interface Bug {
  /** What is wrong, in plain words; no two are called the same. */
  readonly name: string;
  /** Path from the root. */
  readonly file: string;
  /** What stands there exactly once, and what stands there instead. */
  readonly text: string;
  readonly becomes: string;
  readonly catcher: Catcher;
  /** The mistake is that something never comes: a test that waits for it in vain has noticed. */
  readonly isSilence?: true;
}

/**
 * The simulator wherever it reaches, of one node or of many; else a test: its file, and its name or the beginning
 * of it.
 */
export type Catcher = SimulatorCatcher | TestCatcher;
export type SimulatorCatcher = 'simulator' | 'simulator of many nodes';

export interface TestCatcher {
  readonly file: string;
  readonly test: string;
}

/** The source with the bug in it. @throws Error where its text does not stand there exactly once. */
export function plant({ name, file, text, becomes }: Bug, source: string): string {
  const times = source.split(text).length - 1;
  if (times !== 1) {
    throw new Error(
      `The bug "${name}" must be planted anew: what it replaces stands ${times} times in ${file}.`,
    );
  }
  return source.replace(text, () => becomes);
}
