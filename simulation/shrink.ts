import { faultKindsFor } from './fault-kinds.ts';
import { type Case, type Result, run } from './run.ts';

/**
 * Returns the shortest prefix of a failing run that still fails, without the kinds of fault that the
 * failure does not need. @param onTry Called before each try.
 */
export async function shrink(
  failed: Result,
  onTry: (one: Case) => void = () => {},
): Promise<Result> {
  let best = failed;
  const tryCase = async (one: Case): Promise<boolean> => {
    onTry(one);
    const result = await run(one);
    if (result.failure !== undefined) best = result;
    return result.failure !== undefined;
  };
  const shorten = async () => {
    // The commands submitted before the failure suffice; fewer may do.
    let [passes, fails] = [-1, Math.min(best.case.commands, best.submitted)];
    if (!(await tryCase({ ...best.case, commands: fails }))) return;
    while (fails - passes > 1) {
      const commands = passes + Math.ceil((fails - passes) / 2);
      if (await tryCase({ ...best.case, commands })) fails = commands;
      else passes = commands;
    }
  };
  await shorten();
  for (const kind of faultKindsFor(best.case.nodes)) {
    if (best.case.without.has(kind)) continue;
    await tryCase({ ...best.case, without: new Set([...best.case.without, kind]) });
  }
  await shorten();
  return best;
}
