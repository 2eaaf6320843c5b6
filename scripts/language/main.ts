/**
 * npm run check:language [-- --counts]
 *
 * Checks how code, documents, configuration files and commit subjects are written, and prints for each finding its file, its line and
 * what to write instead. `--counts` prints how often each retired term is found.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkCode, checkDocument, checkSubjects, checkText, type Finding } from './rules.ts';

const root = join(import.meta.dir, '../..');
const { values } = parseArgs({ options: { counts: { type: 'boolean', default: false } } });
/** The last commit of the first release, for clones without tags. */
const FIRST_RELEASE = 'f9649fbd44f0533c2521d94b5a87d93dfb5957d8';
/** The list of the terms, and the samples of its test. */
const LEFT_OUT = ['scripts/language/terms.ts', 'test/language.test.ts'];

const found = [
  ...listFiles('*.ts', '*.tsx').flatMap(checkFile),
  ...listFiles('*.md').flatMap(checkPage),
  ...listFiles('*.mjs', '*.css', '*.py', '*.toml', '.ci', 'deploy').flatMap(checkOther),
  ...subjects(),
];
if (values.counts) printCounts(found);
else
  for (const { file, line, rule, text, instead } of found)
    console.log(`${file}:${line}: ${rule}: "${text}". Write: ${instead}.`);
if (found.length > 0) {
  console.log(`${found.length} findings. See CONTRIBUTING.md, "Language".`);
  process.exit(1);
}
console.log('The language check found nothing.');

function checkFile(file: string): Finding[] {
  return checkCode(file, readFileSync(join(root, file), 'utf8'));
}

function checkPage(file: string): Finding[] {
  return checkDocument(file, readFileSync(join(root, file), 'utf8'), root);
}

function checkOther(file: string): Finding[] {
  return checkText(file, readFileSync(join(root, file), 'utf8'));
}

/** Checks the commits since the last release; without a history there are none. */
function subjects(): Finding[] {
  const release = git('describe', '--tags', '--abbrev=0').trim() || FIRST_RELEASE;
  const log = git('log', '--no-merges', '--format=%h %s', `${release}..HEAD`);
  return checkSubjects(log.split('\n').filter(Boolean));
}

function listFiles(...patterns: string[]): string[] {
  return git('ls-files', ...patterns)
    .split('\n')
    .filter((file) => file !== '' && !LEFT_OUT.some((prefix) => file.startsWith(prefix)));
}

/** Returns what git prints; nothing if it fails. */
function git(...args: string[]): string {
  const { exitCode, stdout } = Bun.spawnSync(['git', ...args], { cwd: root, stderr: 'ignore' });
  return exitCode === 0 ? stdout.toString() : '';
}

function printCounts(findings: readonly Finding[]): void {
  const counts = new Map<string, number>();
  for (const { rule, text } of findings) {
    const name = rule === 'retired term' ? `${rule}: ${text.toLowerCase()}` : rule;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`${count}\t${name}`);
}
