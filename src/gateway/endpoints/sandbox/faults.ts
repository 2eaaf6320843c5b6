import type { Faults } from '../../../sandbox/faults/faults.ts';
import {
  type InjectedFault,
  type InstalledScript,
  MAX_SCRIPTS,
} from '../../../sandbox/faults/script.ts';
import { CHANNEL_NAMES } from '../../faults/message-names.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer, list, record } from '../../openapi/json-schema.ts';
import { timeText } from '../records.ts';
import { FAULT_SCRIPT, faultScript, INJECTED_FAULT } from './fault-schemas.ts';
import { readFaultScript } from './read-fault-script.ts';

const LIST_PARAMETERS = ['id', 'fromId', 'limit'] as const;
const REMOVE_PARAMETERS = ['id'] as const;

/** POST /api/sandbox/faults: installs a script. Nothing is installed if any part of it is wrong. */
export async function addFaults(call: Call): Promise<string> {
  const sent = checkBody(faultScript, call.body());
  const faults = findFaults(call);
  const script = readFaultScript(sent, {
    state: call.exchange.state,
    now: call.services.now(),
    seed: faults.nextSeed,
    requests: faults.requestNames,
    channels: CHANNEL_NAMES,
  });
  if (faults.scripts.length >= MAX_SCRIPTS) {
    const message = `There are ${MAX_SCRIPTS} scripts, the maximum. Remove one first.`;
    throw invalid('faults', 'maxScripts', message);
  }
  return `{"script":${scriptText(await faults.install(script))}}`;
}
addFaults.description = describe({
  operationId: 'addFaults',
  tag: 'Sandbox',
  summary: 'Install a script of faults',
  notes:
    'The faults happen to requests and streams of a key, of an account, or of everything, by seeded draws: the same ' +
    'sequence of requests gets the same faults. Scripts end with the process, or with a return to a checkpoint. Exists only in the sandbox.',
  body: {
    schema: fromZod(faultScript),
    examples: {
      lostAnswers: {
        seed: 7,
        faults: [
          {
            kind: 'answer_lost_after_commit',
            probability: 0.2,
            endpoints: ['POST /api/orders', 'ws order.place'],
            schedule: { from: '2126-01-05T12:00:00Z' },
          },
        ],
      },
      gaps: {
        faults: [
          {
            kind: 'stream_gap',
            count: 3,
            endpoints: ['channel orderbook'],
            schedule: { from: '2126-01-05T12:00:00Z', everyMs: 60_000 },
          },
        ],
      },
    },
  },
  data: record({ script: FAULT_SCRIPT }),
  errors: ['INVALID_SYMBOL', 'NOT_FOUND'],
});

/** GET /api/sandbox/faults: the scripts, and the faults that have happened. */
export function listFaults(call: Call): string {
  const query = call.query(LIST_PARAMETERS);
  const faults = findFaults(call);
  const id = query.text('id');
  const limit = query.count('limit');
  const fromNumber = query.fromId() ?? 1;
  const scripts = id === undefined ? faults.scripts : [findScript(faults, id)];
  const injected = faults.listInjected(fromNumber - 1, limit, id);
  return (
    `{"scripts":[${scripts.map(scriptText).join(',')}],` +
    `"injected":[${injected.map(injectedText).join(',')}],` +
    `"happened":${faults.injected.total},"dropped":${faults.injected.dropped}}`
  );
}
listFaults.description = describe({
  operationId: 'listFaults',
  tag: 'Sandbox',
  summary: 'The scripts of faults, and the faults that have happened',
  notes:
    'The oldest faults come first. The exchange keeps the last 10,000 of them. Exists only in the sandbox.',
  query: LIST_PARAMETERS,
  queryTexts: {
    id: 'Return only this script, and its faults.',
    fromId: 'Return only faults with this number or a higher one.',
  },
  data: record({
    scripts: list(FAULT_SCRIPT),
    injected: list(INJECTED_FAULT),
    happened: integer('Number of faults that have happened.', 1),
    dropped: integer('Number of them that are no longer listed.', 0),
  }),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/sandbox/faults: removes one script or all, and opens the markets that it has halted. */
export async function removeFaults(call: Call): Promise<string> {
  const id = call.query(REMOVE_PARAMETERS).text('id');
  const faults = findFaults(call);
  const removed = id === undefined ? faults.scripts : [findScript(faults, id)];
  for (const script of removed) await faults.remove(script.id);
  return `{"removed":${removed.length}}`;
}
removeFaults.description = describe({
  operationId: 'removeFaults',
  tag: 'Sandbox',
  summary: 'Remove a script of faults, or all',
  notes:
    'Opens the markets that a script has halted. The list of the faults that have happened is kept. Exists only in the sandbox.',
  query: REMOVE_PARAMETERS,
  queryTexts: { id: 'The script to remove; all without it.' },
  data: record({ removed: integer('Number of scripts removed.', 1) }),
  errors: ['NOT_FOUND'],
});

/** @throws ApiError NOT_FOUND on an exchange without faults */
function findFaults({ services: { faults } }: Call): Faults {
  if (faults === undefined) throw new ApiError('NOT_FOUND');
  return faults;
}

/** @throws ApiError NOT_FOUND */
function findScript(faults: Faults, id: string): InstalledScript {
  const script = faults.scripts.find((each) => each.id === id);
  if (script === undefined) throw new ApiError('NOT_FOUND', 'There is no such script of faults.');
  return script;
}

function scriptText({ id, script, faults }: InstalledScript): string {
  const { apiKey = null, account = null, seed } = script;
  const texts = faults.map(({ fault, injected }) => {
    const { kind, probability, count, endpoints, before, status, symbol } = fault;
    const { from, until, everyMs, forMs } = fault.schedule;
    const end = Number.isFinite(until) ? timeText(until) : 'null';
    const times = `"from":${timeText(from)},"until":${end},"everyMs":${orNull(everyMs)},"forMs":${orNull(forMs)}`;
    return (
      `{"kind":"${kind}","probability":${probability},"count":${orNull(count)},` +
      `"schedule":{${times}},"endpoints":${orNull(endpoints)},"ms":${orNull(fault.ms || undefined)},` +
      `"jitter":${orNull(fault.jitterMs || undefined)},"before":${before},"status":${orNull(status)},` +
      `"symbol":${orNull(symbol)},"injected":${injected}}`
    );
  });
  return (
    `{"id":"${id}","apiKey":${JSON.stringify(apiKey)},"account":${JSON.stringify(account)},` +
    `"seed":${seed},"faults":[${texts.join(',')}]}`
  );
}

function orNull(value: number | string | readonly string[] | undefined): string {
  return JSON.stringify(value ?? null);
}

function injectedText({ time, ...rest }: InjectedFault): string {
  const { number, scriptId, fault, kind, requestId, position, apiKey, account, endpoint } = rest;
  return (
    `{"number":${number},"scriptId":"${scriptId}","fault":${fault},"kind":"${kind}",` +
    `"requestId":${JSON.stringify(requestId)},"position":${position},"timestamp":${timeText(time)},` +
    `"apiKey":${JSON.stringify(apiKey)},"account":${JSON.stringify(account)},` +
    `"endpoint":${JSON.stringify(endpoint)}}`
  );
}
