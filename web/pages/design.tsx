import '../styles/base.css';
import '../styles/design.css';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { Buttons, Data, Fields, Messages, Navigation } from '../design/components.tsx';
import { Colors, Spacing, Typography } from '../design/tokens.tsx';
import { loadSession } from '../session.ts';
import { DisplaySettings } from '../settings/display.tsx';
import { showPage } from '../show-page.ts';

/** All tokens and components in all their states, for developers and for the screenshot tests. */
function DesignPage() {
  return (
    <Shell at="/design" class="page design">
      <h1>Design system</h1>
      <p class="muted">
        Tokens are in <code>web/styles/tokens.css</code>, components in <code>web/components</code>.
      </p>
      <DisplaySettings />
      <Colors />
      <Typography />
      <Spacing />
      <Buttons />
      <Fields />
      <Messages />
      <Navigation />
      <Data />
    </Shell>
  );
}

loadSession().catch(announceError);
showPage(<DesignPage />);
