import type { Bug } from './bug.ts';

/** The command line, and the files that a sandbox writes for it and for other programs. */
export const commandLineBugs: readonly Bug[] = [
  {
    name: 'the users of a sandbox of an older release get other passwords',
    file: 'src/sandbox/credentials-file.ts',
    text: 'const { people, users = people, ...file }',
    becomes: 'const { people, users, ...file }',
    catcher: {
      file: 'test/credentials-file.test.ts',
      test: 'users under the name people are kept',
    },
  },
];
