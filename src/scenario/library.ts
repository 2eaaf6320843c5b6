import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readScenario, type Scenario } from './scenario.ts';

const LIBRARY = fileURLToPath(new URL('../../scenarios', import.meta.url));

/** Returns the scenarios that come with Buttonwood, by name; their paths are relative to the current directory. */
export function listLibrary(): Scenario[] {
  return readdirSync(LIBRARY)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readScenario(relative(process.cwd(), join(LIBRARY, name))));
}
