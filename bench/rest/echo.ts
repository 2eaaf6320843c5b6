import { Hono } from 'hono';

/** The least that an HTTP service does with an order: read its bytes and send them back. */
const app = new Hono();
app.get('/', (context) => context.text('echo'));
app.post('/api/orders', async (context) =>
  context.body(await context.req.text(), 200, { 'Content-Type': 'application/json' }),
);
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch });
