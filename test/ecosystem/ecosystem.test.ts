import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { describeWherePossible } from '../describe-where-possible.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { inherited } from '../process/inherited.ts';
import { createEnvironment, findPython } from '../python/python-packages.ts';
import {
  CLIENTS,
  type ClientProgram,
  includes,
  PROGRAMS,
  type Run,
  requirementsPath,
} from './clients.ts';
import { EcosystemSandbox } from './ecosystem-sandbox.ts';

/** Trades with the libraries that bots use, unmodified, in a sandbox as its users start it. */

const LIMIT_MS = 280_000;
const run = (process.env.ECOSYSTEM ?? 'system') as Run;
const chosen = CLIENTS.filter((client) => includes(run, client));

const directory = temporaryDirectory();
/** The sandboxes without TLS and with it. */
const sandboxes = new Map<boolean, EcosystemSandbox>();
beforeAll(async () => {
  for (const usesTls of new Set(chosen.map(({ usesTls = false }) => usesTls))) {
    sandboxes.set(usesTls, await EcosystemSandbox.start(usesTls));
  }
}, LIMIT_MS);
afterAll(async () => {
  for (const sandbox of sandboxes.values()) await sandbox.stop();
  directory.remove();
});

/** Returns the command that runs a program, and what makes it ready to run. */
function findCommand({ requirements, install, program: [file, ...args] }: ClientProgram): {
  problem: string | undefined;
  prepare: () => string[];
} {
  const rest = [join(PROGRAMS, file!), ...args];
  if (requirements === undefined) {
    const problem = Bun.which('node') === null ? 'there is no node' : undefined;
    return { problem, prepare: () => ['node', ...rest] };
  }
  const tools = findPython(requirementsPath(requirements), install);
  if (typeof tools === 'string') return { problem: tools, prepare: () => [] };
  const path = join(directory.path, `${file}-${args.join('-')}`);
  return { problem: undefined, prepare: () => [createEnvironment(tools, path), ...rest] };
}

for (const [index, client] of CLIENTS.entries()) {
  const { name, parts, keyType, usesTls = false, leftOut } = client;
  if (!chosen.includes(client)) {
    // The programs of the shorter suite are no part of the longer one.
    if (leftOut === undefined) continue;
    console.warn(`${name}: not run, ${leftOut.because}; npm run test:ecosystem -- --all runs it.`);
    test.skip(name, () => {});
    continue;
  }
  const { problem, prepare } = findCommand(client);
  describeWherePossible(name, problem, 'install python3 with pip, and node', () => {
    test.concurrent(
      'trades as with Binance',
      async () => {
        if (problem !== undefined) throw new Error(problem);
        const command = prepare();
        const account = await sandboxes.get(usesTls)!.openAccount(`bot-${index}`, keyType);
        const env = { ...inherited(), ...account, PYTHONDONTWRITEBYTECODE: '1' };
        const child = Bun.spawn(command, {
          cwd: directory.path,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
          timeout: LIMIT_MS - 10_000,
        });
        const [output, errors, exitCode] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
          child.exited,
        ]);
        if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}:\n${output}${errors}`);
        const done = output.split('\n').flatMap((line) => /^done: (.*)$/.exec(line)?.[1] ?? []);
        expect(done).toEqual([...parts]);
      },
      LIMIT_MS,
    );
  });
}
