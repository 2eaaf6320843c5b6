import { ApiRequestError } from '../../src/client/index.ts';
import { FieldError } from '../components/action.ts';
import { CodeField } from '../components/code-field.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { t } from '../i18n/index.ts';
import { loadSession, profile } from '../session.ts';

interface ConfirmationFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error: string | undefined;
}

/** Asks for the two-factor code if 2FA is on, else for the password. */
export function ConfirmationField(field: ConfirmationFieldProps) {
  if (profile.value?.secondFactor) {
    return (
      <CodeField {...field} hint={t('Confirm it’s you with a code from your authenticator app.')} />
    );
  }
  return (
    <PasswordField
      {...field}
      label={t('Your password')}
      hint={t('Confirm it’s you')}
      autocomplete="current-password"
    />
  );
}

/** Returns the request field of the confirmation. */
export const proofField = () => (profile.value?.secondFactor ? 'code' : 'password');

/** The code if two-factor authentication is on, else the password. */
export type Confirmation = { readonly code: string } | { readonly password: string };

export function toConfirmation(text: string): Confirmation {
  return profile.value?.secondFactor ? { code: text.trim() } : { password: text };
}

/**
 * Runs a request that needs a confirmation. The exchange answers UNAUTHORIZED both to a wrong confirmation and to an
 * ended session, so the session is loaded again to distinguish the two.
 * @throws FieldError at `field` if the confirmation is wrong
 */
export async function withConfirmation<Data>(
  work: () => Promise<Data>,
  field: string,
  message: string = wrongConfirmation(),
): Promise<Data> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiRequestError) || error.code !== 'UNAUTHORIZED') throw error;
    if ((await loadSession()) === null) throw error;
    throw new FieldError(field, message);
  }
}

function wrongConfirmation(): string {
  return profile.value?.secondFactor
    ? t('Incorrect code, or already used. Wait for the next code and try again.')
    : t('Incorrect password');
}
