import type { Bug } from './bug.ts';

const CONTROL = 'src/sandbox/clock/clock-control.ts';
const MAKERS = 'src/sandbox/makers/market-makers.ts';
const byControl = (test: string) => ({ file: 'src/sandbox/clock/clock-control.test.ts', test });
const byMakers = (test: string) => ({ file: 'src/sandbox/makers/market-makers.test.ts', test });
const byClock = (test: string) => ({ file: 'test/process/sandbox-clock.test.ts', test });
const byCheckpoints = (test: string) => ({ file: 'test/process/checkpoints.test.ts', test });

/** The clock, the market makers and the checkpoints of a sandbox. */
export const sandboxBugs: readonly Bug[] = [
  {
    name: 'an advance jumps to its end before what is due',
    file: CONTROL,
    text: 'const next = Math.min(timeline.nextAt, exchange.nextDueTime, target);',
    becomes: 'const next = target;',
    catcher: byControl('what is due happens in order and at its time'),
  },
  {
    name: 'the log does not get the end of an advance',
    file: CONTROL,
    text: 'if (isDue || (isLast && isLogged)) await',
    becomes: 'if (isDue) await',
    catcher: byControl('the log gets the time of an advance'),
  },
  {
    name: 'an advance to a past time is accepted',
    file: CONTROL,
    text: 'isAhead = time >= this.now;',
    becomes: 'isAhead = true;',
    catcher: byControl('advances are played one after another'),
  },
  {
    name: 'a stepped clock moves only once',
    file: CONTROL,
    text: 'this.play(this.now + this.setting.stepMs, false)',
    becomes: 'this.play(this.anchor.time + this.setting.stepMs, false)',
    catcher: byControl('a stepped clock moves before each request'),
  },
  {
    name: 'tasks of a real clock run only once',
    file: CONTROL,
    text: '        this.options.timeline.run(this.now);\n        this.schedule();',
    becomes: '        this.options.timeline.run(this.now);',
    catcher: byControl('tasks of a real clock run at their times'),
  },
  {
    name: 'the market makers of a restored sandbox forget their prices',
    file: MAKERS,
    text: '    this.walk.restore(walk);\n',
    becomes: '',
    catcher: byMakers('the same seed gives the same commands'),
  },
  {
    name: 'market makers quote in markets that do not trade',
    file: MAKERS,
    text: 'return market.currentStatus === MarketStatus.online',
    becomes: 'return market.currentStatus !== MarketStatus.delisted',
    catcher: byMakers('a halted market gets no orders'),
  },
  {
    name: 'market makers ignore the tick size of a market',
    file: 'src/sandbox/makers/quoter.ts',
    text: 'Math.round(price / rules.tick) * rules.tick',
    becomes: 'Math.round(price)',
    catcher: byMakers('a halted market gets no orders'),
  },
  {
    name: 'a price move happens at once',
    file: 'src/sandbox/makers/behavior.ts',
    text: 'if (time >= endsAt) return to;',
    becomes: 'if (time >= startsAt) return to;',
    catcher: byMakers('a move shifts the fair price steadily'),
  },
  {
    name: 'the keys of a sandbox with a seed are random',
    file: 'src/node/sandbox-parts.ts',
    text: 'isVirtual(config) ? seededBytes(config.seed, position) : randomBytes',
    becomes: 'randomBytes',
    catcher: byClock('the same seed and the same calls give the same log'),
  },
  {
    name: 'a stepped clock ignores messages of streams',
    file: 'src/gateway/http/server.ts',
    text: 'const stepping = intake.served.beforeMessage?.();',
    becomes: 'const stepping = undefined;',
    catcher: byClock('a stepped clock moves before each request'),
  },
  {
    name: 'the market makers of a checkpoint lose their orders',
    file: 'src/node/node.ts',
    text: 'if (!continues) await',
    becomes: 'await',
    catcher: byCheckpoints('a restored sandbox continues as it did the first time'),
  },
  {
    name: 'an interrupted restoration is not completed',
    file: 'src/node/node-context.ts',
    text: '  if (isSandbox) openCheckpoints(config).finish();\n',
    becomes: '',
    catcher: byCheckpoints('a restoration that the end of the process interrupted'),
  },
  {
    name: 'a restoration leaves the streams of the old sandbox open',
    file: 'src/gateway/http/server.ts',
    text: '      endStreams(intake.served, SERVICE_RESTART, RESTORING);\n',
    becomes: '',
    catcher: byCheckpoints('streams are closed with the code of a restart'),
  },
  {
    name: "the archivist's thread keeps its files open",
    file: 'src/archivist/archivist-thread.ts',
    text: '    releaseDescriptors();\n',
    becomes: '',
    catcher: byCheckpoints('thirty restorations leave no threads'),
  },
];
