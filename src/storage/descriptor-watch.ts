import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import * as logger from '../monitoring/logger.ts';
import { isOutOfDescriptors } from './spare-descriptors.ts';

const LOOK_EVERY_MS = 1000;
const TELL_EVERY_MS = 60_000;
/** The part of the limit above which there are too many. */
const MANY = 0.8;
/** As Linux tells it; elsewhere the operator hears of it once there is none left. */
const LIMITS_PATH = '/proc/self/limits';

/** Tells the operator, once a minute, while nearly all descriptors that the process may have are open. */
export function watchDescriptors(): { stop(): void } {
  const limit = descriptorLimit();
  let toldAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS || lowestFree() < MANY * limit) return;
    toldAt = now;
    logger.warn(
      `Connections take nearly all of the ${limit} file descriptors that this process may have: new ones ` +
        'wait and snapshots are put off. Raise the limit (LimitNOFILE in a systemd unit, else ulimit -n), ' +
        'and let a proxy or the firewall limit the connections of one address.',
    );
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** The number that the next one opened would have: at least as many are open. Counting them takes longer. */
function lowestFree(): number {
  try {
    const descriptor = openSync('/dev/null', 'r');
    closeSync(descriptor);
    return descriptor;
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
    return Number.POSITIVE_INFINITY;
  }
}

function descriptorLimit(): number {
  if (!existsSync(LIMITS_PATH)) return Number.POSITIVE_INFINITY;
  const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS_PATH, 'utf8'))?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
