import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'bun';

/** The workflow that bot authors copy is one that GitHub accepts, and needs nothing but Node and Python. */

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly 'runs-on': string; readonly steps: Step[] }>>;
}

const ROOT = join(import.meta.dir, '..');
const text = readFileSync(join(ROOT, 'examples/github-actions/bot-tests.yml'), 'utf8');
const workflow = YAML.parse(text) as Workflow;

test('runs for pushes and pull requests, and may only read', () => {
  expect(Object.keys(workflow.on).sort()).toEqual(['pull_request', 'push']);
  expect(workflow.permissions).toEqual({ contents: 'read' });
});

describe.each(Object.entries(workflow.jobs))('the job %s', (_name, job) => {
  test('needs a public runner, and no container or service', () => {
    expect(job['runs-on']).toBe('ubuntu-latest');
    expect(Object.keys(job).sort()).toEqual(['runs-on', 'steps', 'timeout-minutes']);
  });

  test('checks out, sets up a Node that the package supports, installs and tests', () => {
    const uses = job.steps.flatMap((step) => step.uses ?? []);
    expect(uses.slice(0, 2)).toEqual(['actions/checkout@v4', 'actions/setup-node@v4']);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const version = job.steps[1]!.with!['node-version'];
    expect(Bun.semver.satisfies(`${version}.99.0`, engines.node)).toBe(true);
    const commands = job.steps.flatMap((step) => step.run ?? []);
    expect(commands[0]).toBe('npm ci');
    expect(commands.at(-1)).toMatch(/^(node --test|python -m pytest)$/);
    expect(job.steps.every((step) => (step.uses === undefined) !== (step.run === undefined))).toBe(
      true,
    );
  });
});
