import type { AssertionResult, RunResult, ScenarioResult } from '../run/results.ts';

/** Returns the results as text for a terminal: each scenario with its expectations, then a summary. */
export function textReport(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ passed }) => !passed).length;
  const durationMs = results
    .flatMap(({ runs }) => runs)
    .reduce((sum, run) => sum + run.durationMs, 0);
  const summary =
    `${results.length - failed} of ${results.length} passed, ` +
    `${failed} failed (${(durationMs / 1000).toFixed(1)} s).`;
  return [...results.map(describeScenario), summary].join('\n\n');
}

function describeScenario({
  passed,
  title,
  file,
  bot,
  runs,
  isRepeatable,
}: ScenarioResult): string {
  const lines = [`${passed ? 'PASSED' : 'FAILED'}  ${title}  (${file}, ${bot})`];
  // The runs of a repeatable scenario are alike.
  const shown = runs.find((run) => !run.passed) ?? runs[0]!;
  lines.push(...shown.assertions.flatMap(describeAssertion));
  lines.push(...describeEnd(shown));
  if (runs.length > 1) {
    const states = isRepeatable ? 'all ended in the same state' : 'ended in different states:';
    lines.push(`  ${isRepeatable ? '✓' : '✗'} ${runs.length} runs ${states}`);
    if (!isRepeatable) lines.push(...runs.map(describeState));
  }
  return lines.join('\n');
}

function describeAssertion(assertion: AssertionResult): string[] {
  const { passed, text, atMs, actual, place, because } = assertion;
  if (passed) return [`  ✓ ${text}`];
  return [
    `  ✗ ${text}`,
    `      is ${actual} after ${formatTime(atMs)} (${place})`,
    ...(because === undefined ? [] : [`      ${because.trim()}`]),
  ];
}

function describeEnd({ error, rejections, stateHash, logPosition, capsule, steps }: RunResult) {
  const lines: string[] = [];
  if (error !== undefined) {
    const message = error.message.replaceAll('\n', '\n      ');
    lines.push(`  ✗ ${message}`, `      after ${formatTime(error.atMs)} (${error.place})`);
  }
  const rejected = Object.entries(rejections).map(([code, count]) => `${count} ${code}`);
  if (rejected.length > 0) lines.push(`  Rejected requests of the bot: ${rejected.join(', ')}`);
  if (stateHash !== undefined) {
    lines.push(`  ${steps} steps, log position ${logPosition}, state ${stateHash.slice(0, 16)}`);
  }
  if (capsule !== undefined) {
    lines.push(`  Capsule: ${capsule} (replay it with buttonwood capsule run ${capsule})`);
  }
  return lines;
}

function describeState({ stateHash, logPosition }: RunResult, index: number): string {
  const state = stateHash === undefined ? 'no state' : `position ${logPosition}, ${stateHash}`;
  return `      run ${index + 1}: ${state}`;
}

function formatTime(ms: number): string {
  return `${ms / 1000} s`;
}
