/** The result of trying a bug. */
export interface Verdict {
  readonly isCaught: boolean;
  /** Message of the catcher. */
  readonly message: string;
  /** Commands submitted to the simulator, and the seed of the failed run. */
  readonly commands: number | undefined;
  readonly seed: number | undefined;
}

/** Message of a catcher that has found no fault. */
export const NOTHING = 'noticed nothing';

/** Errors of a broken program, which do not count as a violated rule. */
const ACCIDENTS = ['TypeError', 'ReferenceError', 'SyntaxError', 'ResolveMessage', 'BuildMessage'];

/** Whether an error is a deliberate report of a violated rule. */
export function isFinding(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (ACCIDENTS.includes(each.name) || each.message === '') return false;
  }
  return error instanceof Error;
}

/**
 * Returns the verdict of a `bun test` run, with its first error.
 * @param maySilence Whether a timeout of the test counts as caught.
 */
export function judgeTest(code: number | undefined, output: string, maySilence: boolean): Verdict {
  const place = { commands: undefined, seed: undefined };
  if (code === 0 && /^ [1-9]\d* pass$/m.test(output)) {
    return { isCaught: false, message: NOTHING, ...place };
  }
  if (code === undefined) return { isCaught: false, message: 'did not end', ...place };
  const accident = output.match(new RegExp(`^(${ACCIDENTS.join('|')}): .*$`, 'm'));
  const error = output.match(/^(error|[A-Za-z]*Error): .*$/m);
  const isOver = /timed out after/.test(output);
  const hasNoticed = isOver ? maySilence : error !== null;
  const isCaught = accident === null && hasNoticed && /^\(fail\)/m.test(output);
  const reason = isOver ? 'timed out' : error?.[0];
  return { isCaught, message: accident?.[0] ?? reason ?? output.slice(-500), ...place };
}
