import type { PushKeys } from '../../delivery/web-push.ts';

/** The stored terms of a browser that gets push messages, next to its address. */
export interface PushLabel extends PushKeys {
  /** The session that subscribed it: the messages end with it. */
  readonly sessionId: string;
}

/** Returns the text that is stored. */
export function writePushLabel({ p256dh, auth, sessionId }: PushLabel): string {
  return `${p256dh} ${auth} ${sessionId}`;
}

export function readPushLabel(label: string): PushLabel {
  const [p256dh = '', auth = '', sessionId = ''] = label.split(' ');
  return { p256dh, auth, sessionId };
}
