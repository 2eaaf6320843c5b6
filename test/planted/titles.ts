import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** Returns the titles of all tests in these files, with those of the blocks around them, by file. Runs no test. */
export function titlesIn(root: string, files: readonly string[]): Map<string, string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-titles-'));
  try {
    const report = join(directory, 'report.xml');
    const output = ['--reporter=junit', `--reporter-outfile=${report}`];
    const none = '--test-name-pattern=no test has this title';
    const paths = files.map((file) => `./${file}`);
    // Without CI, tests whose servers are missing are not declared.
    const env = { ...process.env, CI: '1' };
    Bun.spawnSync([process.execPath, 'test', none, ...output, ...paths], { cwd: root, env });
    return readTitles(readFileSync(report, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function readTitles(report: string): Map<string, string[]> {
  const titles = new Map<string, string[]>();
  const tests = report.matchAll(/<testcase name="(.*?)" classname="(.*?)".*? file="(.*?)"/gs);
  for (const [, name, blocks, file] of tests) {
    // The innermost block comes first.
    const path = [...decode(blocks!).split(' > ').reverse(), decode(name!)];
    const title = path.join(' ').trim();
    titles.set(file!, [...(titles.get(file!) ?? []), title]);
  }
  return titles;
}

function decode(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity]!);
}
