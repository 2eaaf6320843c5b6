export const STREAM_PATH = '/ws';
