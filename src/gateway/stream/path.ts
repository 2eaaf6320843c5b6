/** Where streams are opened (API section 6). */
export const STREAM_PATH = '/ws';
