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
  {
    name: 'the form of a value is left to the node',
    file: 'src/cli/program.ts',
    text: 'if (fault !== undefined) throw',
    becomes: 'if (fault === null) throw',
    catcher: { file: 'src/cli/cli.test.ts', test: 'points to the help of its command' },
  },
  {
    name: 'a private key is sent to the node',
    file: 'src/cli/commands/keys.ts',
    text: "if (text.includes('PRIVATE KEY')) {",
    becomes: "if (text.includes('PRIVATE KEYS')) {",
    catcher: { file: 'src/cli/cli.test.ts', test: 'a private key is never sent' },
  },
];
