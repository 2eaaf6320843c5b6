import { signInPath } from '../session.ts';

/** Shown instead of a page's content when signed out. @param what Name of that content */
export function SignInFirst({ what }: { what: string }) {
  return (
    <div class="panel sign-in-first">
      <p>Sign in to see {what}.</p>
      <a class="button primary" href={signInPath()}>
        Sign in
      </a>
    </div>
  );
}
