// Records logs of the current engine version: node bin/bun.mjs test/recorded/record.ts && npm run fix
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { type Recorded, recordLog, replayLog } from './recording.ts';
import { scenariosToRecord } from './scenarios.ts';

/** The newest engine version of a release. Logs of a later version, which no user has, may be recorded again. */
const RELEASED_VERSION = 1;

const directory = join(import.meta.dir, `v${ENGINE_VERSION}`);
if (ENGINE_VERSION <= RELEASED_VERSION) {
  console.error(`Version ${ENGINE_VERSION} is released: its logs are never recorded again.`);
  process.exit(1);
}
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory);
const recorded: Record<string, Recorded> = {};
for (const [index, { commands, maxCommandsPerBatch }] of scenariosToRecord().entries()) {
  const segment = await recordLog(commands, maxCommandsPerBatch);
  const name = `${index}.segment.gz`;
  writeFileSync(join(directory, name), gzipSync(segment, { level: 9 }));
  recorded[name] = await replayLog(segment);
}
writeFileSync(join(directory, 'expected.json'), `${JSON.stringify(recorded, undefined, 2)}\n`);
