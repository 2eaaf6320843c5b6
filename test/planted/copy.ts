import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CopiedSources, type Ended } from '../copied-sources.ts';
import { type Bug, plant } from './bug.ts';

const PARTS = [
  'src',
  'test',
  'simulation',
  'web',
  'bin',
  'scenarios',
  'package.json',
  'tsconfig.json',
];

/** A copy of the sources in which one bug at a time is planted. */
export class Copy {
  private readonly sources: CopiedSources;

  constructor(private readonly root: string) {
    this.sources = new CopiedSources(root, 'buttonwood-planted-', PARTS);
  }

  /** Runs `work` on sources with the bug, or without any. */
  async with<Result>(bug: Bug | undefined, work: () => Promise<Result>): Promise<Result> {
    if (bug === undefined) return work();
    const source = readFileSync(join(this.root, bug.file), 'utf8');
    this.sources.write(bug.file, plant(bug, source));
    try {
      return await work();
    } finally {
      this.sources.write(bug.file, source);
    }
  }

  /** Runs Bun with these arguments. */
  run(...args: string[]): Promise<Ended> {
    return this.sources.run(args, { FORCE_COLOR: '0', NO_COLOR: '1' });
  }

  remove(): void {
    this.sources.remove();
  }
}
