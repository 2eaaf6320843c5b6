import { z } from 'zod';
import type { NodeClock } from '../../../monitoring/clock.ts';
import * as logger from '../../../monitoring/logger.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { checkBody, time } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, integer, record, timestamp } from '../../openapi/json-schema.ts';
import { timeText } from '../records.ts';

/** Maximum difference between the time that an operator confirms and the machine's clock. */
const MAX_DIFFERENCE_MS = 60_000;

const CLOCK = {
  timestamp: timestamp("This node's time."),
  wallClock: timestamp("The time of the machine's clock."),
  offsetMs: integer('How far the wall clock is ahead of this node, milliseconds.', 0),
  isOff: boolean('Whether the wall clock has jumped without being confirmed.', false),
};

/** GET /api/admin/clock: the time of the node that responds, and of its machine. */
export function getClock(call: Call): string {
  call.query([]);
  return clockText(call.services.clock);
}
getClock.description = describe({
  operationId: 'getClock',
  tag: 'Operator',
  summary: 'The clock of the node that responds',
  notes:
    'If the wall clock of a node jumps by more than 5 seconds, the node keeps its own time and is not ready ' +
    '(`clock off`). It rejects orders and keys that expire with `CLOCK_OFF` until the wall clock is right again or ' +
    'confirmed.',
  data: record(CLOCK),
});

const request = z.strictObject({ wallClock: time });

/** POST /api/admin/clock/confirm: makes the node trust its machine's wall clock again after a jump. */
export function confirmClock(call: Call): string {
  const { wallClock } = checkBody(request, call.body());
  const { clock } = call.services;
  if (!clock.isOff) return clockText(clock);
  const { wallMs } = clock;
  if (Math.abs(wallMs - wallClock) > MAX_DIFFERENCE_MS) {
    const wallTime = new Date(wallMs).toISOString();
    const message = `wallClock must be within a minute of the machine's clock (${wallTime}).`;
    throw invalid('wallClock', 'withinAMinute', message);
  }
  const account = call.account.id;
  const apiKey = call.exchange.state.keys[call.keyIndex]?.apiKey;
  logger.warn('The wall clock was confirmed', { account, apiKey, offsetMs: wallMs - clock.now() });
  clock.confirm();
  return clockText(clock);
}
confirmClock.description = describe({
  operationId: 'confirmClock',
  tag: 'Operator',
  summary: "Confirm the wall clock of the node's machine after it jumped",
  notes:
    'Send the current time from another clock. Has no effect unless the clock is off. After a jump forward, ' +
    'everything due by then happens at once; after a jump back, time runs at half speed until the wall clock ' +
    'has caught up.',
  body: { schema: fromZod(request), examples: { now: { wallClock: '2026-01-05T12:00:00Z' } } },
  data: record(CLOCK),
});

function clockText(clock: NodeClock): string {
  const { isOff, wallMs } = clock;
  const now = clock.now();
  return (
    `{"timestamp":${timeText(now)},"wallClock":${timeText(wallMs)},` +
    `"offsetMs":${wallMs - now},"isOff":${isOff}}`
  );
}
