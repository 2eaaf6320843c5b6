import type { AssertionResult, RunResult, ScenarioResult } from '../run/results.ts';

/** Characters that XML 1.0 cannot express, not even escaped: https://www.w3.org/TR/xml/#charsets */
const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

interface Case {
  readonly name: string;
  readonly failure?: { readonly message: string; readonly text: string };
  readonly error?: { readonly message: string; readonly text: string };
}

/** Returns the results as JUnit XML: a suite for each scenario, a case for each expectation. */
export function junitReport(results: readonly ScenarioResult[]): string {
  const suites = results.map((result) => ({ result, cases: listCases(result) }));
  const all = suites.flatMap(({ cases }) => cases);
  const seconds = formatSeconds(results.flatMap(({ runs }) => runs));
  const lines = suites.flatMap(({ result, cases }) => suiteLines(result, cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="buttonwood scenarios" ${counts(all)} time="${seconds}">`,
    ...lines,
    '</testsuites>',
    '',
  ].join('\n');
}

function listCases({ runs, isRepeatable }: ScenarioResult): Case[] {
  const shown = runs.find((run) => !run.passed) ?? runs[0]!;
  const cases: Case[] = shown.assertions.map(toCase);
  if (shown.error !== undefined) {
    const { message, place, atMs } = shown.error;
    const [first = ''] = message.split('\n');
    const text = `${message}\nafter ${atMs / 1000} s (${place})`;
    cases.push({ name: 'run to the end', error: { message: first, text } });
  }
  if (runs.length > 1) {
    const name = `${runs.length} runs end in the same state`;
    const text = runs.map(({ stateHash = 'no state' }) => stateHash).join('\n');
    const failure = { message: 'The runs ended in different states.', text };
    cases.push(isRepeatable ? { name } : { name, failure });
  }
  return cases;
}

function toCase({ text: name, passed, actual, expected, atMs, place, because }: AssertionResult) {
  if (passed) return { name };
  const message = `expected ${expected}, is ${actual}`;
  const text = [`${message} after ${atMs / 1000} s (${place})`, because].filter((each) => each);
  return { name, failure: { message, text: text.join('\n') } };
}

function suiteLines({ title, file, runs }: ScenarioResult, cases: readonly Case[]): string[] {
  const name = escapeXml(title);
  const seconds = formatSeconds(runs);
  return [
    `  <testsuite name="${name}" file="${escapeXml(file)}" ${counts(cases)} skipped="0" time="${seconds}">`,
    ...cases.flatMap((each) => caseLines(name, each)),
    '  </testsuite>',
  ];
}

function caseLines(className: string, { name, failure, error }: Case): string[] {
  const start = `    <testcase name="${escapeXml(name)}" classname="${className}" time="0"`;
  const fault = failure ?? error;
  if (fault === undefined) return [`${start}/>`];
  const tag = failure === undefined ? 'error' : 'failure';
  const message = escapeXml(fault.message);
  return [
    `${start}>`,
    `      <${tag} message="${message}" type="${tag}">${escapeXml(fault.text)}</${tag}>`,
    '    </testcase>',
  ];
}

function counts(cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
}

function formatSeconds(runs: readonly RunResult[]): string {
  return (runs.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}

function escapeXml(text: string): string {
  return text.replace(INVALID, '\ufffd').replace(/[&<>"'\t\n\r]/g, (found) => ENTITIES[found]!);
}
