#!/usr/bin/env node
// The `buttonwood` command: starts src/main.ts on the Bun that npm installed.
import { fileURLToPath } from 'node:url';
import { runBun } from './run-bun.mjs';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

// Without --no-install Bun may download a missing package while the exchange runs.
runBun(['--no-install', main, ...process.argv.slice(2)], { lifeline: true });
