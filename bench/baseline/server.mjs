// The hand-written service: Express, the driver, one statement an operation. No authentication, no validation.
import express from 'express';
import { postgresBaseline } from './postgres.mjs';
import { sqliteBaseline } from './sqlite.mjs';

const url = process.argv[2];
const store = url.startsWith('postgres') ? postgresBaseline(url) : sqliteBaseline(url.slice('sqlite:'.length));

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());
app.post('/api/v2/appointments/', async (request, response) => {
  response.json(await store.create(request.body));
});
app.get('/api/v2/appointments/', async (request, response) => {
  response.json(await store.list(request.query));
});
app.get('/api/v2/appointments/:id', async (request, response) => {
  const found = await store.get(request.params.id);
  if (found === undefined) response.sendStatus(404);
  else response.json(found);
});
app.put('/api/v2/appointments/:id/cancel', async (request, response) => {
  const cancelled = await store.cancel(request.params.id, request.body.cancelReason);
  response.sendStatus(cancelled ? 204 : 404);
});

const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
