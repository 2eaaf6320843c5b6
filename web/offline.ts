import './styles/offline.css';
import { preferredLanguage } from './i18n/languages.ts';

/** The page without a network: shows the user's language, and the page that was asked for once it can be reached. */

const RETRY_MS = 5000;

const sections = [...document.querySelectorAll<HTMLElement>('section[lang]')];
const stored = localStorage.getItem('buttonwood-language');
const offered = sections.map(({ lang }) => lang);
const wanted = stored ?? preferredLanguage(navigator.languages, offered);
const shown = sections.find(({ lang }) => lang === wanted) ?? sections[0]!;
for (const section of sections) section.hidden = section !== shown;
document.documentElement.lang = shown.lang;

addEventListener('online', () => location.reload());

// The network may be up while the exchange cannot be reached. The page itself is at /offline.
if (location.pathname !== '/offline') {
  setInterval(() => {
    fetch('/offline', { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => {
        if (ok) location.reload();
      },
      () => {},
    );
  }, RETRY_MS);
}
