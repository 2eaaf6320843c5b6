import { z } from 'zod';
import { DAY_MS } from '../../../config/durations.ts';
import type { ClockControl } from '../../../sandbox/clock/clock-control.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, decimalBetween, integer, optional, time } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import {
  enumeration,
  fromZod,
  integer as integerField,
  nullable,
  number,
  record,
  timestamp,
} from '../../openapi/json-schema.ts';
import { timeOrNull, timeText } from '../records.ts';

const MODES = ['real', 'frozen', 'stepped', 'scaled'] as const;
const MAX_ADVANCE_MS = 366 * DAY_MS;
const MAX_STEP_MS = DAY_MS;
const MAX_SPEED = 1_000_000;

const CLOCK = {
  mode: enumeration(MODES, 'How the time moves.'),
  speed: number('Time of the exchange per real time: 1 if real, 0 if frozen or stepped.', 60),
  stepMs: integerField('Time before each request if stepped, else 0; milliseconds.', 0),
  timestamp: timestamp("The exchange's time."),
  nextEventAt: nullable(
    timestamp(
      'When something happens by itself next: an expiry, a deadline, an update of the market makers.',
    ),
  ),
};

/** GET /api/sandbox/clock: how the sandbox's time moves. */
export function getSandboxClock(call: Call): string {
  call.query([]);
  return clockText(call);
}
getSandboxClock.description = describe({
  operationId: 'getSandboxClock',
  tag: 'Sandbox',
  summary: "The sandbox's clock",
  data: record(CLOCK),
  errors: ['NOT_FOUND'],
});

const request = z.strictObject({
  mode: optional(z.enum(MODES), 'The way the time moves from now on; by default as before.'),
  speed: optional(
    decimalBetween(0.001, MAX_SPEED),
    'Time of the exchange per real time. Required by `scaled`, and only for it.',
  ),
  advanceMs: optional(
    integer(0, MAX_ADVANCE_MS),
    'Moves the time on and plays what is due. With `stepped`: the time before each request, at least 1.',
  ),
  until: optional(time, 'Moves the time on to this time. Instead of `advanceMs`.'),
});
type ClockRequest = z.output<typeof request>;

/**
 * POST /api/sandbox/clock: changes how the time moves, and moves it. Responds once everything due on the way has happened.
 */
export async function setSandboxClock(call: Call): Promise<string> {
  const given = checkBody(request, call.body());
  const control = findControl(call);
  const mode = given.mode ?? control.mode;
  checkFields(given, mode, control);
  const isStep = mode === 'stepped';
  const isChanged =
    given.mode != null || given.speed != null || (isStep && given.advanceMs != null);
  if (isChanged) {
    const stepMs = isStep ? (given.advanceMs ?? control.stepMs) : 0;
    await control.set({ mode, speed: given.speed ?? control.speed, stepMs });
  }
  if (given.until != null && !(await control.advanceTo(given.until))) throw timeBackwards(control);
  if (given.advanceMs != null && !isStep) await control.advance(given.advanceMs);
  return clockText(call);
}
setSandboxClock.description = describe({
  operationId: 'setSandboxClock',
  tag: 'Sandbox',
  summary: "Set and move the sandbox's clock",
  notes:
    'Everything follows this clock: server time, candles, expiry, deadlines, `recvWindow`, rate-limit windows, the market ' +
    'makers. `frozen`: nothing moves but by requests. `stepped`: the time moves by `advanceMs` before each request, except ' +
    'those under `/api/sandbox`. `scaled`: `speed` times as fast as real time. `real`: as fast as real time, from the ' +
    'present of the exchange. `advanceMs` and `until` need a clock that is not real: they play what is due in order ' +
    'and respond when it is done. Time never goes back, except with a checkpoint.',
  body: {
    schema: fromZod(request),
    examples: {
      freeze: { mode: 'frozen' },
      advance: { advanceMs: 60_000 },
    },
  },
  data: record(CLOCK),
  errors: ['NOT_FOUND'],
});

function checkFields(given: ClockRequest, mode: string, control: ClockControl): void {
  const { advanceMs, until, speed } = given;
  if (advanceMs != null && until != null) {
    throw invalid('until', 'conflict', 'Send either advanceMs or until, not both.');
  }
  if (mode === 'scaled' ? speed == null && control.mode !== 'scaled' : speed != null) {
    const message = 'speed is required by the mode scaled, and only for it.';
    throw invalid('speed', mode === 'scaled' ? 'required' : 'conflict', message);
  }
  if (mode === 'stepped') {
    if (until != null) throw invalid('until', 'conflict', 'A stepped clock has no until.');
    const step = advanceMs ?? control.stepMs;
    if (step >= 1 && step <= MAX_STEP_MS) return;
    const message = `A stepped clock needs advanceMs: the time before each request, from 1 to ${MAX_STEP_MS}.`;
    throw invalid('advanceMs', 'required', message);
  }
  if (mode === 'real' && (advanceMs != null || until != null)) {
    const message = 'A real clock cannot be moved. Send "mode": "frozen" too.';
    throw invalid(until == null ? 'advanceMs' : 'until', 'realClock', message);
  }
  if (until == null) return;
  if (until < control.now) throw timeBackwards(control);
  if (until - control.now <= MAX_ADVANCE_MS) return;
  throw invalid(
    'until',
    'max',
    'until must be at most 366 days ahead. Move the time in several requests.',
  );
}

function timeBackwards(control: ClockControl): ApiError {
  const now = new Date(control.now).toISOString();
  const message = `Time cannot go back: it is ${now}. Restore a checkpoint to return to an earlier time.`;
  return invalid('until', 'past', message);
}

/** Returns the control of the sandbox's clock. @throws ApiError if it is a cluster, whose clocks are real */
export function findControl({ services }: Call): ClockControl {
  if (services.sandbox === undefined) throw new ApiError('NOT_FOUND', NO_CLOCK);
  return services.sandbox.control;
}

const NO_CLOCK = 'A sandbox in a cluster has a real clock. Start a sandbox on one node.';

function clockText(call: Call): string {
  const control = findControl(call);
  const { mode, speed, stepMs, now, nextEventAt } = control;
  const next = Number.isFinite(nextEventAt) ? nextEventAt : 0;
  return (
    `{"mode":"${mode}","speed":${speed},"stepMs":${stepMs},"timestamp":${timeText(now)},` +
    `"nextEventAt":${timeOrNull(next)}}`
  );
}
