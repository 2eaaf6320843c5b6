import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';

/** Returns the syntax trees of files (absolute paths), parsed by the project's own compiler. */
export async function parse(paths: readonly string[]): Promise<SourceFile[]> {
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-mutation-'));
  const project = join(directory, 'tsconfig.json');
  // Parsing needs neither imports nor library types.
  const compilerOptions = { noResolve: true, noLib: true, types: [] };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: paths }));
  const api = new API();
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [project] });
    const program = snapshot.getProjects()[0]!.program;
    const files = await Promise.all(paths.map((path) => program.getSourceFile(path)));
    return files.map((file, at) => {
      if (file === undefined) throw new Error(`${paths[at]} could not be parsed`);
      return file;
    });
  } finally {
    await api.close();
    rmSync(directory, { recursive: true });
  }
}
