import { existsSync, readFileSync } from 'node:fs';

/**
 * Preloaded into a node (bun --preload) to move its wall clock ahead by the milliseconds in the file CLOCK_AHEAD_FILE.
 */
const now = Date.now;
const path = process.env.CLOCK_AHEAD_FILE!;
Date.now = () => now() + (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0);
