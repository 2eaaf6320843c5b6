#!/usr/bin/env node
// Plain Bun, for the scripts of package.json and for developers: node bin/bun.mjs test src/engine
import { runBun } from './run-bun.mjs';

runBun(process.argv.slice(2));
