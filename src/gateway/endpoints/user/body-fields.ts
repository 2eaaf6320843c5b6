import { z } from 'zod';
import { MAX_REASON_LENGTH } from '../../../engine/limits.ts';
import { normalizeEmail } from '../../../users/users.ts';
import { optional } from '../../openapi/body-schema.ts';

/** Fields that the bodies of several endpoints of /api/account share. */

/** Only the form: the rules for a password are checked later, and only for new passwords. */
export const password = z.string().min(1, 'must not be empty').max(1024, 'is too long');
export const code = z.string().min(1, 'must not be empty').max(64, 'is too long');
export const token = z.string().min(1, 'must not be empty').max(128, 'is too long');
export const email = z
  .string()
  .max(320, 'is too long')
  .transform((text) => normalizeEmail(text));

/** Fields that confirm the user's identity again: `code` with two-factor authentication, else `password`. */
export const proof = {
  password: optional(
    password,
    'Your password, required with a session unless you have turned on 2FA.',
  ),
  code: optional(code, 'A 2FA code, required with a session if you have turned on 2FA.'),
};

/** Why an operator wants something that a second one may have to approve. */
export const approvalReason = optional(
  z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_REASON_LENGTH, `must be at most ${MAX_REASON_LENGTH} characters`),
  'Why, for the audit and for a second operator. Required if one must approve it.',
);

/** Returns the proof in a body, with absent fields undefined. */
export function readProof(body: {
  password?: string | null | undefined;
  code?: string | null | undefined;
}) {
  return { password: body.password ?? undefined, code: body.code ?? undefined };
}
