import { type ComponentChild, render } from 'preact';
import { announceError } from './components/toast.tsx';
import { t } from './i18n/index.ts';
import { loadLanguage } from './i18n/language.ts';

/** Shows a page in the user's language, and gives the browser tab its title. */
export async function showPage(page: ComponentChild): Promise<void> {
  try {
    await loadLanguage();
  } catch (error) {
    // English is part of the script.
    announceError(error);
  }
  const [title, ...rest] = document.title.split(' · ');
  document.title = [t(title!), ...rest].join(' · ');
  render(page, document.getElementById('app')!);
  startServiceWorker();
}

/** Starts the service worker once the page has loaded, so that the first visit is no slower for it. */
function startServiceWorker(): void {
  const start = () => {
    // Private windows and some settings forbid it; the page needs it only while the network is down.
    navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
  };
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}
