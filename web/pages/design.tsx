import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/design.css';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { Controls, Data, Fields, Messages, Navigation } from '../design/components.tsx';
import { Rules } from '../design/rules.tsx';
import { Colors, Icons, Spacing, Typography } from '../design/tokens.tsx';
import { loadSession } from '../session.ts';
import { DisplaySettings } from '../settings/display.tsx';
import { showPage } from '../show-page.ts';

const PARTS = [
  ['rules', 'Rules', Rules],
  ['colors', 'Colors', Colors],
  ['type', 'Type scale', Typography],
  ['spacing', 'Spacing', Spacing],
  ['icons', 'Icons', Icons],
  ['controls', 'Controls', Controls],
  ['fields', 'Fields', Fields],
  ['messages', 'Messages', Messages],
  ['tabs', 'Tabs', Navigation],
  ['data', 'Tables and lists', Data],
] as const;

/** All rules, tokens and components in all their states, for developers and for the screenshot tests. */
function DesignPage() {
  return (
    <Shell at="/design" class="page design">
      <h1>Design system</h1>
      <p class="muted">
        Tokens are in <code>web/styles/tokens.css</code>, components in <code>web/components</code>.
      </p>
      <DisplaySettings />
      <nav class="row" aria-label="Contents">
        {PARTS.map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {PARTS.map(([id, , Part]) => (
        <div key={id} id={id} class="design-part">
          <Part />
        </div>
      ))}
    </Shell>
  );
}

loadSession().catch(announceError);
showPage(<DesignPage />);
