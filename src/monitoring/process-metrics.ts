import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { counter, gauge, Histogram, type Metric } from './metrics.ts';

const SAMPLE_EVERY_MS = 100;
const DELAY_BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const DESCRIPTORS = '/proc/self/fd';
const LIMITS = '/proc/self/limits';

/** Returns the metrics of the process, under the standard names of Prometheus. */
export function processMetrics(): Metric[] {
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    counter('process_cpu_seconds_total', 'CPU time of all threads, seconds.', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    }),
    gauge('process_resident_memory_bytes', 'Memory in use, bytes.', () =>
      process.memoryUsage.rss(),
    ),
    gauge(
      'process_start_time_seconds',
      'Start time of the process, Unix seconds.',
      () => startedAt,
    ),
    gauge('process_open_fds', 'Open file descriptors, on Linux.', openDescriptors),
    gauge('process_max_fds', 'Maximum number of open file descriptors, on Linux.', maxDescriptors),
    eventLoopDelay(),
  ];
}

/** Measures how late a timer fires that is due ten times a second, which is how long requests wait for the thread. */
function eventLoopDelay(): Metric {
  const delay = new Histogram(
    'buttonwood_event_loop_delay_seconds',
    'Delay of a timer on the serving thread, sampled ten times a second.',
    DELAY_BOUNDS_SECONDS,
  );
  let due = performance.now() + SAMPLE_EVERY_MS;
  setInterval(() => {
    const now = performance.now();
    delay.note(Math.max(0, now - due) / 1000);
    due = now + SAMPLE_EVERY_MS;
  }, SAMPLE_EVERY_MS).unref();
  return delay;
}

function openDescriptors(): number | undefined {
  // One of them is the directory itself.
  return existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length - 1 : undefined;
}

function maxDescriptors(): number | undefined {
  if (!existsSync(LIMITS)) return undefined;
  const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1];
  return soft === undefined ? undefined : Number(soft);
}
