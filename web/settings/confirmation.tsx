import { ApiRequestError } from '../../src/client/index.ts';
import { FieldError } from '../components/action.ts';
import { CodeField } from '../components/code-field.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { loadSession, profile } from '../session.ts';

interface ConfirmationFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error: string | undefined;
}

/** Asks once more who is there: for the code where a second factor is on, else for the password. */
export function ConfirmationField(field: ConfirmationFieldProps) {
  if (profile.value?.secondFactor) {
    return <CodeField {...field} hint="From your authenticator app: it proves that it is you." />;
  }
  return (
    <PasswordField
      {...field}
      label="Your password"
      hint="It proves that it is you."
      autocomplete="current-password"
    />
  );
}

/** What proves once more who is asking: the code where a second factor is on, else the password. */
export type Confirmation = { readonly code: string } | { readonly password: string };

export function toConfirmation(text: string): Confirmation {
  return profile.value?.secondFactor ? { code: text.trim() } : { password: text };
}

/**
 * Runs what takes a confirmation. The exchange refuses a wrong one in the words with which it refuses a
 * session that has ended: which it was, asking for the session tells.
 * @throws FieldError beside `field` where the confirmation was wrong
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
    ? 'That code is wrong, or was used already. Wait for the next one.'
    : 'That is not your password.';
}
