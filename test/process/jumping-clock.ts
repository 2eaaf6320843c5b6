import { existsSync, readFileSync } from 'node:fs';

/**
 * Preloaded into a node (bun --preload): a machine whose wall clock is ahead by as many milliseconds as the file says
 * that CLOCK_AHEAD_FILE names.
 */
const now = Date.now;
const path = process.env.CLOCK_AHEAD_FILE!;
Date.now = () => now() + (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0);
