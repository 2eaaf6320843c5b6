/** Whether this exchange is a sandbox; known without a session. */
export const isSandbox = document.documentElement.dataset.sandbox !== undefined;
