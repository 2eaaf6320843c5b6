/** Preloaded into a node (bun --preload) to shift its clock by CLOCK_AHEAD_MS. */
const now = Date.now;
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
Date.now = () => now() + aheadMs;
