import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/**
 * Packs the package and installs it into a directory as npm does, with links to the packages that it needs. Programs there
 * import it by its name.
 * @returns the packed package
 */
export async function installPackage(directory: string): Promise<Buffer> {
  const options = ['--json', '--ignore-scripts=false', '--pack-destination', directory];
  const printed = await run(ROOT, 'npm', 'pack', ...options);
  // The build script prints lines before it.
  const [{ filename }] = JSON.parse(printed.slice(printed.search(/^\[/m)));
  const modules = join(directory, 'node_modules');
  const installed = join(modules, 'buttonwood');
  mkdirSync(installed, { recursive: true });
  await run(installed, 'tar', '-xzf', join(directory, filename), '--strip-components=1');
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== 'buttonwood') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  return readFileSync(join(directory, filename));
}

/** Runs a command that must succeed. @returns Its output. */
async function run(cwd: string, ...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${output}${errors}`);
  return output;
}
