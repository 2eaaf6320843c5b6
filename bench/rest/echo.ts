import { Hono } from 'hono';

/** The minimum work of an HTTP service for an order: reading its bytes and sending them back. */
const app = new Hono();
app.get('/', (context) => context.text('echo'));
app.post('/api/orders', async (context) =>
  context.body(await context.req.text(), 200, { 'Content-Type': 'application/json' }),
);
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch });
