import { signInPath } from '../session.ts';

/** What a page is where nobody is signed in. @param what What it would show. */
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
