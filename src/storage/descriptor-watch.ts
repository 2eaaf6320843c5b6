import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import * as logger from '../monitoring/logger.ts';
import { isOutOfDescriptors } from './reserved-descriptors.ts';

const CHECK_EVERY_MS = 1000;
const WARN_EVERY_MS = 60_000;
/** The part of the limit from which a warning is logged. */
const WARN_PART = 0.8;
/** Only on Linux; elsewhere the warning comes when no descriptor is left. */
const LIMITS_PATH = '/proc/self/limits';

/** Warns once a minute while nearly all file descriptors of the process are in use. */
export function watchDescriptors(): { stop(): void } {
  const limit = descriptorLimit();
  let warnedAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY_MS || lowestFree() < WARN_PART * limit) return;
    warnedAt = now;
    logger.warn(
      `Connections use nearly all of the ${limit} file descriptors of this process, so new connections ` +
        'wait and snapshots are postponed. Raise the limit (LimitNOFILE in a systemd unit, or ulimit -n), ' +
        'and limit the connections per address in a proxy or firewall.',
    );
  }, CHECK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Returns the lowest free descriptor: at least as many are in use. Counting them would take longer. */
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
