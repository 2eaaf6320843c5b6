/** Runs before the first paint, so that no page flashes in the wrong theme; see components/theme.tsx. */
const chosen = localStorage.getItem('buttonwood-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
