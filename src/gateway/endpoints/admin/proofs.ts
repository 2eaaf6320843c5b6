import { z } from 'zod';
import type { Proved } from '../../../archivist/archivist.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { readMoment } from '../../past/moment.ts';
import { pastError } from '../../past/past-error.ts';

const body = z.strictObject({
  at: optional(
    z.string(),
    'Log position, or ISO 8601 time with a zone, that the proof is about. Default: the present.',
  ),
});

/** POST /api/admin/proofs: makes a proof of liabilities and keeps it. `data` is the proof. */
export async function makeProof(call: Call): Promise<string> {
  const { at } = checkBody(body, call.body());
  const { archivist, replica } = call.services;
  const { position, exchange } = replica;
  const now = Math.max(call.services.now(), exchange.state.time);
  const moment = at == null ? undefined : readMoment(at, position, now);
  const found = (await archivist.query({ kind: 'prove', moment }, position)) as Proved;
  if (found.kind === 'notWritten') {
    const message = `The proof could not be written (${found.reason}). Check the disk, then try again.`;
    throw new ApiError('OVERLOADED', message);
  }
  if (found.kind !== 'proof') throw pastError(found, 'at');
  return JSON.stringify(found.proof);
}
makeProof.description = describe({
  operationId: 'makeProof',
  tag: 'Operator',
  summary: 'Make and publish a proof of liabilities',
  notes:
    'Made in the background, without delaying orders, of the present or of a past position of the log. The newest 32 proofs ' +
    'are kept and public. A position that has a proof gets no second one. Only on an exchange whose log is in files.',
  body: { schema: fromZod(body), examples: { present: {}, position: { at: '1' } } },
  data: recordRef('LiabilityProof'),
  errors: ['OVERLOADED'],
});
