import { MAX_IN_FLIGHT } from '../stream/operations/operations.ts';
import { CloseCode } from '../stream/sockets/close-codes.ts';
import { MAX_MESSAGE_BYTES, MAX_MESSAGES_PER_SECOND } from '../stream/streams.ts';

/** Why a connection is closed, by code. */
const CLOSE_CODES: Readonly<Record<number, string>> = {
  1001: 'The exchange stops. Connect again.',
  [CloseCode.policyViolation]: 'Too many messages or operations. Send fewer.',
  1009: `A message of more than ${MAX_MESSAGE_BYTES} bytes. Send smaller ones.`,
  [CloseCode.tryAgainLater]:
    'The node cannot verify sessions or cannot reach the log. Connect again.',
  [CloseCode.credentialEnded]: 'The key or session has ended. Authenticate again.',
  [CloseCode.tooSlow]: 'Too much is unread. Read faster, or subscribe to less.',
};

/** The description of the AsyncAPI document. */
export const INTRODUCTION = `
All channels share one WebSocket connection at \`/ws\`, whose messages are JSON objects. The fields \`op\` and
\`channel\` distinguish them. Records, numbers, checks and error codes are those of the REST API
([openapi.json](/openapi.json)). New fields may be added to any message that the exchange sends.

**Channels.** A \`subscribe\` is answered by a \`snapshot\`, followed by \`update\` messages. With the last \`sequence\`
that you received, the missed messages come instead of the snapshot.

**Operations** place, amend, cancel and read orders. A request has an \`id\` of yours and \`params\`: the fields of the
body or the query of its REST endpoint, and \`orderId\` for one order. The response has the same \`id\`. A
connection may have ${MAX_IN_FLIGHT} operations in progress; responses come in the order of the log.

**Limits.** A message has at most ${MAX_MESSAGE_BYTES} bytes. A connection may send ${MAX_MESSAGES_PER_SECOND} messages
a second that are not operations. Operations count in the rate limit of their endpoint.

| Close code | Cause and remedy |
|---|---|
${Object.entries(CLOSE_CODES)
  .map(([code, meaning]) => `| ${code} | ${meaning} |`)
  .join('\n')}
`.trim();
