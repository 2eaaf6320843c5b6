/** What became of a bug. */
export interface Verdict {
  readonly isCaught: boolean;
  /** What the catcher said. */
  readonly says: string;
  /** How many commands the simulator had been given, and the seed of the life that failed. */
  readonly commands: number | undefined;
  readonly seed: number | undefined;
}

/** What a catcher says that has found no fault. */
export const NOTHING = 'noticed nothing';

/** What a program throws that does not hold together: it says nothing of what the exchange may do. */
const ACCIDENTS = ['TypeError', 'ReferenceError', 'SyntaxError', 'ResolveMessage', 'BuildMessage'];

/** Whether somebody meant to say this: that what must hold does not. */
export function isFinding(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (ACCIDENTS.includes(each.name) || each.message === '') return false;
  }
  return error instanceof Error;
}

/**
 * What `bun test` said of a test that failed: its first error.
 * @param maySilence Whether a test that waited in vain has noticed the bug.
 */
export function verdictOfTest(
  code: number | undefined,
  output: string,
  maySilence: boolean,
): Verdict {
  const place = { commands: undefined, seed: undefined };
  if (code === 0 && /^ [1-9]\d* pass$/m.test(output)) {
    return { isCaught: false, says: NOTHING, ...place };
  }
  if (code === undefined) return { isCaught: false, says: 'did not come to an end', ...place };
  const accident = output.match(new RegExp(`^(${ACCIDENTS.join('|')}): .*$`, 'm'));
  const error = output.match(/^(error|[A-Za-z]*Error): .*$/m);
  const isOver = /timed out after/.test(output);
  const hasNoticed = isOver ? maySilence : error !== null;
  const isCaught = accident === null && hasNoticed && /^\(fail\)/m.test(output);
  const said = isOver ? 'waited in vain' : error?.[0];
  return { isCaught, says: accident?.[0] ?? said ?? output.slice(-500), ...place };
}
