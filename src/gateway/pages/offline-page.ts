import { ICON, ICON_SVG } from './icon.ts';

/** Marks a text for web/messages, which has its translations. */
const msg = (text: string) => text;

const TEXTS = {
  title: msg('You are offline'),
  lead: msg('Buttonwood cannot be reached. This page reloads by itself once you are connected.'),
  orders: msg('Your open orders stay on the exchange and can still be filled.'),
  retry: msg('Try again'),
} as const;

/** Languages with translations; the page shows one of them if the user chose it (web/offline.ts). */
const LANGUAGES = ['de', 'es', 'zh', 'ja'] as const;

/** The files that the page loads; the service worker keeps them too. */
export interface OfflineFiles {
  readonly theme: string;
  readonly script: string;
  readonly style: string;
}

/** Returns the page that the service worker shows without a network, in all languages. */
export async function offlinePage({ theme, script, style }: OfflineFiles): Promise<string> {
  const translated = await Promise.all(LANGUAGES.map(translate));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Offline · Buttonwood</title>
<link rel="icon" href="${ICON}">
<script src="/assets/${theme}"></script>
<link rel="stylesheet" href="/assets/${style}">
<script type="module" src="/assets/${script}"></script>
</head>
<body>
<main>
<p class="logo">${ICON_SVG.replace('<svg ', '<svg aria-hidden="true" ')} Buttonwood</p>
${section('en', '', TEXTS)}
${translated.join('\n')}
</main>
</body>
</html>
`;
}

async function translate(language: string): Promise<string> {
  const url = new URL(`../../../web/messages/${language}.json`, import.meta.url);
  const messages: Record<string, string> = await Bun.file(url).json();
  const entries = Object.entries(TEXTS).map(([name, text]) => [name, messages[text] ?? text]);
  return section(language, ' hidden', Object.fromEntries(entries));
}

function section(language: string, attributes: string, texts: Readonly<typeof TEXTS>): string {
  return `<section lang="${language}"${attributes}>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<p class="muted">${texts.orders}</p>
<p><a class="button" href="">${texts.retry}</a></p>
</section>`;
}
