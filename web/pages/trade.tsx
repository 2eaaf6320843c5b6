import '../styles/base.css';
import { render } from 'preact';
import { ConnectionBadge } from '../components/connection-badge.tsx';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { loadSession } from '../session.ts';

function TradePage() {
  return (
    <Shell at="/trade" aside={<ConnectionBadge />}>
      <h1>Trade</h1>
    </Shell>
  );
}

loadSession().catch(announceError);
render(<TradePage />, document.getElementById('app')!);
