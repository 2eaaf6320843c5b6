/** A socket whose messages leave together at the end of a turn. */
type OutgoingSocket = Bun.ServerWebSocket<{ readonly outgoing: string[] }>;

/** Sockets with unsent messages; a flush is scheduled if there are any. */
let ready: OutgoingSocket[] = [];

/**
 * Sends a message together with the others that become ready in the same turn, in one write. The commands of a batch are
 * applied in one go, so the responses and events of one batch leave together.
 */
export function sendSoon(socket: OutgoingSocket, message: string): void {
  const { outgoing } = socket.data;
  if (outgoing.push(message) > 1) return;
  if (ready.push(socket) === 1) queueMicrotask(flush);
}

/** Sends everything that waits for the end of this turn. */
export function flush(): void {
  const sockets = ready;
  ready = [];
  for (const socket of sockets) {
    if (socket.readyState > WebSocket.OPEN) socket.data.outgoing.length = 0;
    else socket.cork(sendAll);
  }
}

function sendAll(this: OutgoingSocket, socket: OutgoingSocket): void {
  const { outgoing } = socket.data;
  for (const message of outgoing) socket.send(message);
  outgoing.length = 0;
}
