/** Runs before the first paint, so that no page flashes in the wrong theme; see components/theme.tsx. */
const chosen = localStorage.getItem('buttonwood-theme');
const colors = localStorage.getItem('buttonwood-colors');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
if (colors !== null) document.documentElement.dataset.colors = colors;
