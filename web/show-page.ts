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
}
