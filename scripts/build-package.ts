// Builds a package of packages/ for npm, from src/client and the documents: runs as its prepack script.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dir, '..');

/** Programs of examples/ that need only the client. */
const EXAMPLES = ['bot', 'grid-bot', 'market-maker', 'portfolio', 'trailing-bid'];

function build(name: string): void {
  const folder = join(root, 'packages', name);
  for (const part of ['dist', 'docs']) rmSync(join(folder, part), { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { exitCode, stdout } = Bun.spawnSync(['node', tsc, '-p', folder], { stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`tsc: ${stdout}`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  if (name === 'client') copyExamples(folder);
  copyDocuments(folder, name === 'client' ? EXAMPLES : []);
}

function copyExamples(folder: string): void {
  mkdirSync(join(folder, 'examples'), { recursive: true });
  for (const name of EXAMPLES) {
    const text = readFileSync(join(root, `examples/${name}.ts`), 'utf8');
    const own = text.replaceAll("'buttonwood/client'", "'@buttonwood/client'");
    writeFileSync(join(folder, `examples/${name}.ts`), own);
  }
}

/** Copies the documents for traders. Links to files that the package does not have become plain text. */
function copyDocuments(folder: string, examples: readonly string[]): void {
  const names = readdirSync(join(root, 'docs/trading')).map((name) => `docs/trading/${name}`);
  const known = new Set([...names, ...examples.map((name) => `examples/${name}.ts`)]);
  mkdirSync(join(folder, 'docs/trading'), { recursive: true });
  for (const name of names) {
    const text = readFileSync(join(root, name), 'utf8');
    const linked = text.replace(/\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)/g, (whole, label, target) =>
      known.has(normalize(join(dirname(name), target))) ? whole : label,
    );
    writeFileSync(join(folder, name), linked);
  }
}

build(process.argv[2]!);
