import type { Bug } from './bug.ts';

const ARCHIVER = 'src/retention/archiver.ts';
const ARCHIVE = 'src/retention/log-archive.ts';
const READER = 'src/retention/archived-log.ts';
const MANIFEST = 'src/retention/manifest.ts';
const TRIMMING = 'src/history/writer/trimming.ts';
const by = (test: string) => ({ file: 'src/retention/archiver.test.ts', test });
const CRASH = 'a crash or a power loss at every step loses nothing';
const KEPT = 'what stays is bounded by age or by size';

/** The archive of the log, and the trimming of history. */
export const retentionBugs: readonly Bug[] = [
  {
    name: 'a segment with the batch that a start needs is moved',
    file: ARCHIVER,
    text: 'if (segment.last >= needed || !(isOld || isLarge)) break;',
    becomes: 'if (segment.first >= needed || !(isOld || isLarge)) break;',
    catcher: by(KEPT),
  },
  {
    name: 'a segment is moved before it is old enough',
    file: ARCHIVER,
    text: 'const isOld = segment.nextTime < oldestKept;',
    becomes: 'const isOld = segment.nextTime <= oldestKept;',
    catcher: by(KEPT),
  },
  {
    name: 'a segment is deleted before its entry is in the manifest',
    file: ARCHIVER,
    text: '    await manifest.append(packed.entry);\n    await this.remove(segment);',
    becomes: '    await this.remove(segment);\n    await manifest.append(packed.entry);',
    catcher: by(CRASH),
  },
  {
    name: 'a segment is archived without its entry',
    file: ARCHIVE,
    text: 'await this.store.put(name, Buffer.from(text));',
    becomes: '',
    catcher: by('cold segments move, the others stay'),
  },
  {
    name: 'an object is not compared with its SHA-256',
    file: 'src/retention/packed-segment.ts',
    text: 'if (sha256(object) !== entry.sha256) {',
    becomes: 'if (object.length === 0) {',
    catcher: by('every damaged, exchanged or missing object is named'),
  },
  {
    name: 'a segment of another log passes the verification of the archive',
    file: ARCHIVE,
    text: 'if (difference !== undefined) throw this.damaged(objectName(entry), difference);',
    becomes: '',
    catcher: by('a forged segment whose entry was forged too'),
  },
  {
    name: 'a batch at the start of a reader is not compared if no batch follows',
    file: READER,
    text: 'while (position.sequence < through || (isChecked && position === after)) {',
    becomes: 'while (position.sequence < through) {',
    catcher: by('a reader that expects another batch at its start is rejected'),
  },
  {
    name: 'a line that was being written makes the manifest unreadable',
    file: MANIFEST,
    text: 'if (end + 1 >= bytes.length) break;',
    becomes: '',
    catcher: by('a missing manifest is read from the archive'),
  },
  {
    name: 'an entry of another log is taken for one of this log',
    file: ARCHIVER,
    text: 'const chain = chainTo((await archive.entries()).entries, start);',
    becomes: 'const chain = [...(await archive.entries()).entries];',
    catcher: by('a missing manifest is read from the archive'),
  },
  {
    name: 'a segment is deleted before the archive has it',
    file: ARCHIVER,
    text: '    await archive.write(packed, bytes);\n    await manifest.append(packed.entry);\n    await this.remove(segment);',
    becomes:
      '    await this.remove(segment);\n    await archive.write(packed, bytes);\n    await manifest.append(packed.entry);',
    catcher: by('while the archive is down nothing is deleted'),
  },
  {
    name: 'a segment that ends with the batch of the oldest kept snapshot is moved',
    file: ARCHIVER,
    text: 'if (segment.last >= needed || !(isOld || isLarge)) break;',
    becomes: 'if (segment.last > needed || !(isOld || isLarge)) break;',
    catcher: by(KEPT),
  },
  {
    name: 'entries are read from the manifest in any order',
    file: MANIFEST,
    text: 'const isNext = entry !== undefined && isContinued(entries.at(-1), entry);',
    becomes: 'const isNext = entry !== undefined;',
    catcher: by('lines of the manifest that were exchanged'),
  },
  {
    name: 'entries from the archive are appended to the manifest in another order',
    file: ARCHIVER,
    text: 'await manifest.appendAll(rest);',
    becomes: 'await manifest.appendAll(rest.toReversed());',
    catcher: by('a missing manifest is read from the archive'),
  },
  {
    name: 'history deletes orders that were placed long ago and ended lately',
    file: TRIMMING,
    text: 'ends} < $4`',
    becomes: 'begins} < $4`',
    catcher: {
      file: 'src/history/writer/trimming.test.ts',
      test: 'exactly the rows from the stored time on',
    },
  },
  {
    name: 'the rows that a commit looks at to delete old ones are not counted',
    file: TRIMMING,
    text: 'rest -= STEP_ROWS + (await this.step(statements));',
    becomes: 'rest -= 0 * (await this.step(statements));',
    catcher: {
      file: 'src/history/writer/trimming.test.ts',
      test: 'many old rows are deleted by several commits',
    },
  },
  {
    name: 'the time from which history is kept goes back',
    file: TRIMMING,
    text: "'UPDATE kept SET since = $1, checksum = $2 WHERE since < $1'",
    becomes: "'UPDATE kept SET since = $1, checksum = $2 WHERE since <> $1'",
    catcher: { file: 'src/history/writer/trimming.test.ts', test: 'the time never goes back' },
  },
  {
    name: 'history deletes rows as old as the time from which they are kept',
    file: 'src/history/writer/trimming.ts',
    text: 'ends} < $4`',
    becomes: 'ends} <= $4`',
    catcher: {
      file: 'src/history/writer/trimming.test.ts',
      test: 'exactly the rows from the stored time on',
    },
  },
  {
    name: 'verification counts no stored rows as old as the time from which they are kept',
    file: 'src/history/verification/stored-rows.ts',
    text: 'Number(row[time]) >= keptSince',
    becomes: 'Number(row[time]) > keptSince',
    catcher: {
      file: 'src/history/writer/trimming.test.ts',
      test: 'exactly the rows from the stored time on',
    },
  },
  {
    name: 'verification expects rows from before the time from which they are kept',
    file: 'src/history/verification/expected-rows.ts',
    text: 'time >= this.keptSince;',
    becomes: 'time > 0 * this.keptSince;',
    catcher: {
      file: 'src/history/writer/trimming.test.ts',
      test: 'exactly the rows from the stored time on',
    },
  },
];
