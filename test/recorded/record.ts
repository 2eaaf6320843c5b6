// Records logs of the current engine version: node bin/bun.mjs test/recorded/record.ts
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { type Recorded, recordLog, replayLog } from './recording.ts';
import { scenariosToRecord } from './scenarios.ts';

const directory = join(import.meta.dir, `v${ENGINE_VERSION}`);
if (existsSync(directory)) {
  console.error(`${directory} exists: a recorded version is never recorded again.`);
  process.exit(1);
}
mkdirSync(directory);
const recorded: Record<string, Recorded> = {};
for (const [index, commands] of scenariosToRecord().entries()) {
  const segment = await recordLog(commands);
  const name = `${index}.segment.gz`;
  writeFileSync(join(directory, name), gzipSync(segment, { level: 9 }));
  recorded[name] = await replayLog(segment);
}
writeFileSync(join(directory, 'expected.json'), `${JSON.stringify(recorded, undefined, 2)}\n`);
