import '../styles/base.css';
import { render } from 'preact';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { loadSession } from '../session.ts';

function PortfolioPage() {
  return (
    <Shell at="/portfolio">
      <h1>Portfolio</h1>
    </Shell>
  );
}

loadSession().catch(announceError);
render(<PortfolioPage />, document.getElementById('app')!);
