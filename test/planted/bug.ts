/** A plausible mistake, and the test that must catch it. */
export interface Bug {
  /** A unique description of the fault. */
  readonly name: string;
  /** Path from the root. */
  readonly file: string;
  /** Source text that occurs exactly once, and its replacement. */
  readonly text: string;
  readonly becomes: string;
  readonly catcher: Catcher;
  /** Set if the fault is that something never happens, so that a timeout of the test counts as caught. */
  readonly isSilence?: true;
}

/**
 * The simulator of a single node or of a cluster, if it covers the code; otherwise a test with its file and a part of
 * its title.
 */
export type Catcher = SimulatorCatcher | TestCatcher;
export type SimulatorCatcher = 'simulator' | 'cluster simulator';

export interface TestCatcher {
  readonly file: string;
  readonly test: string;
}

/** Returns the source with the bug. @throws Error if its text does not occur exactly once. */
export function plant({ name, file, text, becomes }: Bug, source: string): string {
  const times = source.split(text).length - 1;
  if (times !== 1) {
    throw new Error(
      `The bug "${name}" must be updated: its text occurs ${times} times in ${file}.`,
    );
  }
  return source.replace(text, () => becomes);
}
