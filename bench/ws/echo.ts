/** The minimum work of a socket for an order: reading a message and sending one of an order's size. */
const ANSWER_BYTES = Number(process.env.ANSWER_BYTES);
const HEAD_LENGTH = '{"op":"order.place","id":"00",'.length;
const REST = '"success":true,"data":"';
const FILLER = `${REST}${'x'.repeat(ANSWER_BYTES - HEAD_LENGTH - REST.length - 2)}"}`;

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('echo')),
  websocket: {
    message(socket, message) {
      const text = message as string;
      if (text.startsWith('{"op":"order.place"')) socket.send(text.slice(0, HEAD_LENGTH) + FILLER);
      else socket.send('{"op":"authenticated"}');
    },
  },
});
