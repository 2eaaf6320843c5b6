import { nearest } from '../../../config/nearest.ts';
import type { State } from '../../../engine/state.ts';
import {
  FAULT_KIND_NAMES,
  FAULT_KINDS,
  FAULT_STATUSES,
  type FaultKind,
  type FaultParameter,
  type FaultStatus,
} from '../../../sandbox/faults/kinds.ts';
import { isStreamPattern, matchesPattern } from '../../../sandbox/faults/patterns.ts';
import type { Fault, FaultScript, Schedule } from '../../../sandbox/faults/script.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { MAX_DELAY_MS, type SentFault, type SentScript } from './fault-schemas.ts';

/** The facts that a script is checked against. */
interface Known {
  readonly state: State;
  readonly now: number;
  /** The script's seed unless it has one. */
  readonly seed: number;
  /** The names of requests and operations, and of channels. */
  readonly requests: readonly string[];
  readonly channels: readonly string[];
}

/** The names of the parameters in requests. */
const PARAMETER_NAMES = {
  ms: 'ms',
  jitterMs: 'jitter',
  before: 'before',
  status: 'status',
  symbol: 'symbol',
} as const satisfies Readonly<Record<FaultParameter, keyof SentFault>>;

/** Returns the script that a client sent. @throws ApiError INVALID_REQUEST or INVALID_SYMBOL naming the field and the rule */
export function readFaultScript(sent: SentScript, known: Known): FaultScript {
  const { keysByApiKey, accountsById } = known.state;
  const { apiKey = null, account = null } = sent;
  if (apiKey !== null && account !== null) {
    const message = 'Send apiKey or account, or neither for everything.';
    throw invalid('account', 'apiKeyOrAccount', message);
  }
  if (apiKey !== null && !keysByApiKey.has(apiKey)) {
    throw invalid('apiKey', 'known', `There is no API key ${quoteSender(apiKey)}.`);
  }
  if (account !== null && !accountsById.has(account)) {
    throw invalid('account', 'known', `There is no account ${quoteSender(account)}.`);
  }
  return {
    apiKey: apiKey ?? undefined,
    account: account ?? undefined,
    keyAccount: keysByApiKey.get(apiKey ?? '')?.account.id,
    seed: sent.seed ?? known.seed,
    faults: sent.faults.map((fault, index) => readFault(fault, `faults.${index}`, known)),
  };
}

function readFault(sent: SentFault, path: string, known: Known): Fault {
  const kind = readKind(sent.kind, path);
  checkParameters(sent, kind, path);
  const { symbol = null, ms = null, status = null } = sent;
  if (ms !== null) checkMs(kind, ms, path);
  if (status !== null && !FAULT_STATUSES.includes(status as FaultStatus)) {
    const message = `status must be one of ${FAULT_STATUSES.join(', ')}.`;
    throw invalid(`${path}.status`, 'status', message);
  }
  if (symbol !== null && !known.state.marketsBySymbol.has(symbol)) {
    const nearestSymbol = nearest(symbol, [...known.state.marketsBySymbol.keys()]);
    const details = { field: `${path}.symbol`, rule: 'known', nearest: nearestSymbol };
    throw new ApiError('INVALID_SYMBOL', undefined, details);
  }
  return {
    kind,
    probability: sent.probability ?? 1,
    count: sent.count ?? undefined,
    schedule: readSchedule(sent.schedule, kind, path, known.now),
    endpoints: readEndpoints(sent.endpoints, kind, path, known),
    ms: ms ?? 0,
    jitterMs: sent.jitter ?? 0,
    before: sent.before ?? false,
    status: (status ?? undefined) as FaultStatus | undefined,
    symbol: symbol ?? undefined,
  };
}

function readKind(kind: string, path: string): FaultKind {
  if (Object.hasOwn(FAULT_KINDS, kind)) return kind as FaultKind;
  const similar = nearest(kind, FAULT_KIND_NAMES);
  const guess = similar === undefined ? '' : ` Did you mean ${similar}?`;
  const message = `There is no fault ${quoteSender(kind)}.${guess} Use one of ${FAULT_KIND_NAMES.join(', ')}.`;
  throw new ApiError('INVALID_REQUEST', message, {
    field: `${path}.kind`,
    rule: 'kind',
    nearest: similar,
  });
}

/** @throws ApiError INVALID_REQUEST if a parameter is missing, or one that the kind does not take is given */
function checkParameters(sent: SentFault, kind: FaultKind, path: string): void {
  const { parameters, needs } = FAULT_KINDS[kind];
  for (const [parameter, name] of Object.entries(PARAMETER_NAMES)) {
    const isGiven = sent[name] != null;
    const isTaken = (parameters as readonly string[]).includes(parameter);
    if (isGiven && !isTaken) {
      throw invalid(`${path}.${name}`, 'notTaken', `${kind} takes no ${name}.`);
    }
    if (!isGiven && (needs as readonly string[]).includes(parameter)) {
      throw invalid(`${path}.${name}`, 'required', `${kind} needs ${name}.`);
    }
  }
}

/** @throws ApiError INVALID_REQUEST */
function checkMs(kind: FaultKind, ms: number, path: string): void {
  const field = `${path}.ms`;
  if (kind === 'clock_skew') {
    if (ms === 0) throw invalid(field, 'notZero', 'ms of clock_skew must not be 0.');
  } else if (ms < 1) throw invalid(field, 'positive', `ms of ${kind} must be at least 1.`);
  if (kind === 'delay' && ms > MAX_DELAY_MS) {
    throw invalid(field, 'maximum', `ms of delay must be at most ${MAX_DELAY_MS}.`);
  }
}

/** @throws ApiError INVALID_REQUEST */
function readSchedule(
  sent: SentFault['schedule'],
  kind: FaultKind,
  path: string,
  now: number,
): Schedule {
  const from = sent?.from ?? now;
  const until = sent?.until ?? Number.POSITIVE_INFINITY;
  const everyMs = sent?.everyMs ?? undefined;
  const forMs = sent?.forMs ?? undefined;
  if (until <= from) {
    const message = 'until must be after from, which is now by default.';
    throw invalid(`${path}.schedule.until`, 'afterFrom', message);
  }
  if (everyMs !== undefined && forMs !== undefined && forMs > everyMs) {
    const message = 'forMs must be at most everyMs.';
    throw invalid(`${path}.schedule.forMs`, 'withinPeriod', message);
  }
  if (kind === 'market_halt' && forMs !== undefined) {
    const message = 'market_halt takes no forMs: its ms is the length of a halt.';
    throw invalid(`${path}.schedule.forMs`, 'notTaken', message);
  }
  return { from, until, everyMs, forMs };
}

/** @throws ApiError INVALID_REQUEST if a pattern fits nothing to which the fault can happen */
function readEndpoints(
  sent: SentFault['endpoints'],
  kind: FaultKind,
  path: string,
  { requests, channels }: Known,
): readonly string[] | undefined {
  if (sent == null) return undefined;
  const { subject } = FAULT_KINDS[kind];
  if (subject === 'fill' || subject === 'market') {
    throw invalid(`${path}.endpoints`, 'notTaken', `${kind} takes no endpoints.`);
  }
  const names = subject === 'message' ? channels : requests;
  for (const [index, pattern] of sent.entries()) {
    if (names.some((name) => matchesPattern(pattern, name))) continue;
    if (subject === 'message' && isStreamPattern(pattern)) continue;
    const similar = nearest(pattern, names);
    const guess = similar === undefined ? '' : ` Did you mean ${quoteSender(similar)}?`;
    throw new ApiError(
      'INVALID_REQUEST',
      `${quoteSender(pattern)} fits nothing to which ${kind} can happen.${guess}`,
      { field: `${path}.endpoints.${index}`, rule: 'known', nearest: similar },
    );
  }
  return sent;
}
