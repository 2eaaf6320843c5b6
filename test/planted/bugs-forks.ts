import type { Bug } from './bug.ts';

const FORK = 'src/cli/offline/fork.ts';
const TARGET = 'src/cli/offline/fork-target.ts';
const SOURCE = 'src/cli/offline/source.ts';
const CAPSULE = 'src/capsule/capsule.ts';
const REPLAY = 'src/capsule/replay.ts';
const byFork = (test: string) => ({ file: 'src/cli/offline/fork.test.ts', test });
const byCapsule = (test: string) => ({ file: 'src/capsule/capsule.test.ts', test });
const bySourceLog = (test: string) => ({ file: 'src/log/source-log.test.ts', test });

/** Forks and capsules. */
export const forkBugs: readonly Bug[] = [
  {
    name: 'a fork of a real exchange is a real exchange',
    file: FORK,
    text: 'encodeCommand(writer, { ...command, sandbox: true });',
    becomes: 'encodeCommand(writer, { ...command, sandbox: false });',
    catcher: byFork('a fork of a real exchange is a sandbox'),
  },
  {
    name: 'a fork lacks the batches that wait for their sync',
    file: FORK,
    text: '    await append();\n    const { lastSequence',
    becomes: '    const { lastSequence',
    catcher: byFork('a fork at every position verifies'),
  },
  {
    name: 'a fork before the record of a skip stops at the skipped command',
    file: FORK,
    text: 'for (const record of source.laterSkips) await take({ ...record, time });',
    becomes: '',
    catcher: byFork('commands that were skipped later do not stop a fork'),
  },
  {
    name: 'a fork has records of skips of commands after its moment',
    file: SOURCE,
    text: 'record.sequence > end && skipsWithin(record, isInPart)',
    becomes: 'record.sequence > end',
    catcher: byFork('commands that were skipped later do not stop a fork'),
  },
  {
    name: 'a time between two batches is that of the later one',
    file: SOURCE,
    text: 'batch.time <= at.timeMs) end = batch.sequence;',
    becomes: 'batch.time <= at.timeMs + 1) end = batch.sequence;',
    catcher: byFork('a moment is the last batch at or before a time'),
  },
  {
    name: 'a failed fork leaves its files',
    file: TARGET,
    text: 'if (created !== undefined) rmSync(created, { recursive: true, force: true });',
    becomes: '',
    catcher: byFork('a full disk is reported, and nothing is left'),
  },
  {
    name: 'a fork is written into its source',
    file: TARGET,
    text: '  refuseInside(path, source);\n',
    becomes: '',
    catcher: byFork('a target that is not empty, in the source'),
  },
  {
    name: 'a fork keeps its mark',
    file: TARGET,
    text: '      storage.remove(paths.forking);\n',
    becomes: '',
    catcher: byFork('a fork at every position verifies'),
  },
  {
    name: 'a start takes an interrupted fork',
    file: 'src/node/missing-log.ts',
    text: 'if (!existsSync(forking)) return;',
    becomes: 'if (forking !== undefined) return;',
    catcher: { file: 'test/process/fork.test.ts', test: 'a fork that is killed leaves' },
  },
  {
    name: 'the funds of a fork are those of the asset at the same place',
    file: 'src/sandbox/sandbox.ts',
    text: '        asset: index,\n',
    becomes: '        asset: SANDBOX_ASSETS.findIndex((each) => each.asset === asset),\n',
    catcher: { file: 'test/process/fork.test.ts', test: 'a fork of a real exchange is a sandbox' },
  },
  {
    name: 'the log of a running node ends with a batch that is not acknowledged',
    file: 'src/log/source-log.ts',
    text: 'if (error instanceof DirectoryInUseError) return undefined;',
    becomes:
      'if (error instanceof DirectoryInUseError) return findEnd(storage, directory).end.sequence;',
    catcher: bySourceLog('a log in use ends with the batch that was acknowledged last'),
  },
  {
    name: 'a log stays locked while it is forked',
    file: 'src/log/source-log.ts',
    text: 'for (const lock of locks.reverse()) lock.release();',
    becomes: '',
    catcher: bySourceLog('the log is locked only while its end is searched'),
  },
  {
    name: 'a difference of outcomes alone is no difference',
    file: 'src/capsule/trace.ts',
    text: '    expected.rejections[index] !== actual.rejections[index]\n',
    becomes: '    false\n',
    catcher: byCapsule('a difference of the outcome alone is found'),
  },
  {
    name: 'a difference is named at the end of its batch',
    file: REPLAY,
    text: 'const index = indexes.find((each) => differs(expected, actual, each));',
    becomes: 'const index = indexes.toArray().findLast((each) => differs(expected, actual, each));',
    catcher: byCapsule('a difference of the state is found at its command'),
  },
  {
    name: 'a release that breaks another invariant is equal',
    file: REPLAY,
    text: 'return failure?.message === known?.message ? undefined',
    becomes: 'return failure?.index === known?.index ? undefined',
    catcher: byCapsule('a command that breaks an invariant is the end of the capsule'),
  },
  {
    name: 'the hash of a capsule is not checked',
    file: CAPSULE,
    text: 'if (equalHashes(hash, read(file, end, HASH_BYTES))) return;',
    becomes: 'if (hash.length === HASH_BYTES) return;',
    catcher: byCapsule('a file cut or changed anywhere is rejected'),
  },
  {
    name: 'a block of a capsule may take all memory',
    file: 'src/capsule/format.ts',
    text: 'zstdDecompressSync(bytes, { maxOutputLength: MAX_BLOCK_BYTES })',
    becomes: 'zstdDecompressSync(bytes)',
    catcher: byCapsule('content that no release writes is rejected'),
  },
  {
    name: 'a capsule lacks its last block',
    file: 'src/capsule/writer.ts',
    text: 'if (block.length > 0) output.write(encodeBlock(BlockKind.batches, block.bytes()));',
    becomes: '',
    catcher: byCapsule('a capsule has what was written'),
  },
];
