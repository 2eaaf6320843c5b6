/** The icon of every page, as a data URL, to save a request. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f6df6"/>' +
    '<path d="M9 20v4M9 8v3M7 11h4v9H7zM16 18v6M16 6v4M14 10h4v8h-4zM23 22v3M23 9v5M21 14h4v8h-4z" stroke="#fff" stroke-width="1.6" fill="none" stroke-linecap="round"/></svg>',
)}`;
