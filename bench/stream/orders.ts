/**
 * Sends orders at a steady rate, regardless of the answers: orders.ts PORT ORDERS.json PER_SECOND runs
 * until it is stopped. Each of its connections waits for an answer before it sends again.
 */
const [port, path, perSecond] = process.argv.slice(2);
const CONNECTIONS = 64;
const orders = ((await Bun.file(path!).json()) as string[]).map((order) => Buffer.from(order));
const idle: Bun.Socket[] = [];
const END = Buffer.from('\r\n\r\n');

for (let index = 0; index < CONNECTIONS; index++) {
  await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      open: (socket) => void idle.push(socket),
      data(socket, bytes) {
        // The header of an answer arrives in one piece.
        if (bytes.includes(END)) idle.push(socket);
      },
      close: () => process.exit(1),
      error: (_, error) => {
        throw error;
      },
    },
  });
}

let next = 0;
const start = performance.now();
setInterval(() => {
  const due = ((performance.now() - start) / 1000) * Number(perSecond);
  while (next < due && idle.length > 0) idle.pop()!.write(orders[next++ % orders.length]!);
}, 1);

export {};
