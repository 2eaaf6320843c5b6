/** Whether this exchange is a sandbox; the page says so, also to who is not signed in. */
export const isSandbox = document.documentElement.dataset.sandbox !== undefined;
