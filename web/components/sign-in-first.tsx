import { T, t } from '../i18n/index.ts';
import { signInPath } from '../session.ts';

/** Shown instead of a page's content when signed out. @param what Name of that content */
export function SignInFirst({ what }: { what: string }) {
  return (
    <div class="panel sign-in-first">
      <p>
        <T text="Sign in to see {what}." what={what} />
      </p>
      <a class="button primary" href={signInPath()}>
        {t('Sign in')}
      </a>
    </div>
  );
}
