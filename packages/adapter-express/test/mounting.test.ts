import express5, { type Express, type RequestHandler } from 'express';
import express4 from 'express4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, exchange } from './support/client.js';
import { type Host, type HostOptions, people, startHost, tokenOf } from './support/host.js';
import { created, creation } from './support/requests.js';

const base = '/api/v2/appointments';
const { agent, supervisor } = people;

type MakeExpress = (() => Express) & Pick<typeof express5, 'json' | 'raw' | 'text' | 'urlencoded'>;
const majors: readonly (readonly [string, MakeExpress])[] = [
  ['Express 5', express5],
  ['Express 4.21', express4],
];

/** Body parsers that a host may have in front of the router. */
function parsers(express: MakeExpress): readonly (readonly [string, readonly RequestHandler[]])[] {
  const large = { limit: '50mb' };
  return [
    ['no parser', []],
    ['json()', [express.json()]],
    ['json() of 50 MB', [express.json(large)]],
    ['json() that is not strict', [express.json({ strict: false, ...large })]],
    ['json() of any type', [express.json({ type: () => true, ...large })]],
    ['raw() of any type', [express.raw({ type: () => true, ...large })]],
    ['text() of any type', [express.text({ type: () => true, ...large })]],
    ['extended urlencoded()', [express.urlencoded({ extended: true, ...large })]],
    ['all of them', [express.json(large), express.urlencoded({ extended: true }), express.text(), express.raw()]],
  ];
}

/** Requests, and what they are answered with behind every parser. */
const requests: readonly (readonly [string, Parameters<Host['call']>[2] & object, number])[] = [
  ['a creation', { as: agent, json: creation() }, 200],
  ['a creation in chunks', { as: agent, json: creation(), chunked: true }, 200],
  ['a creation without credentials', { json: creation() }, 401],
  ['a creation by a supervisor', { as: supervisor, json: creation() }, 403],
  ['broken JSON', { as: agent, raw: '{"a":' }, 400],
  ['broken JSON without credentials', { raw: '{"a":' }, 401],
  ['null', { as: agent, raw: 'null' }, 400],
  ['a text', { as: agent, raw: '"x"' }, 400],
  ['nothing', { as: agent }, 400],
  ['nesting of 5,000', { as: agent, raw: '{"a":'.repeat(5000) + '1' + '}'.repeat(5000) }, 400],
  ['__proto__', { as: agent, raw: '{"__proto__":{"polluted":1}}' }, 400],
  ['3 MB', { as: agent, raw: `{"a":"${'x'.repeat(3_000_000)}"}` }, 413],
  ['3 MB in chunks', { as: agent, raw: `{"a":"${'x'.repeat(3_000_000)}"}`, chunked: true }, 413],
  ['3 MB without credentials', { raw: `{"a":"${'x'.repeat(3_000_000)}"}` }, 401],
  ['plain text', { as: agent, raw: 'hello', headers: { 'content-type': 'text/plain' } }, 415],
  ['a form', { as: agent, raw: 'a[b]=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ['gzip', { as: agent, raw: 'no gzip', headers: { 'content-encoding': 'gzip' } }, 415],
  ['an unknown charset', { as: agent, raw: '{}', headers: { 'content-type': 'application/json; charset=x' } }, 415],
];

for (const [major, express] of majors) {
  describe(`in ${major}`, () => {
    for (const [parser, middleware] of parsers(express)) {
      describe(`behind ${parser}`, () => {
        let host: Host;
        beforeAll(async () => {
          host = await startHost({
            express,
            mount: '/calends',
            build: (app, router, mount) => {
              for (const each of middleware) app.use(each);
              app.use(mount, router);
            },
          });
        });
        afterAll(() => host.close());

        it.each(requests)('%s is answered the same whatever parser is in front', async (_, call, status) => {
          const reply = await host.call('POST', `${base}/`, call);
          expect(reply.status, reply.text).toBe(status);
        });

        it('an optional body may be absent, and a body where none is taken is not looked at, unless the parser refused it', async () => {
          const { id } = await created(host);
          const status = /^json|^all/.test(parser) ? 400 : 200;
          expect((await host.call('GET', `${base}/${id}`, { as: agent, raw: '{"a":' })).status).toBe(status);
          expect((await host.call('POST', `${base}/activate/${id}`, { as: agent, raw: '{"a":' })).status).toBe(status);
          expect((await host.call('PUT', `${base}/${id}/cancel`, { as: agent })).status).toBe(204);
        });
      });
    }

    describe('behind a gate of the host that follows json()', () => {
      let host: Host;
      let headers: Readonly<Record<string, string>>;
      beforeAll(async () => {
        host = await startHost({
          express,
          build: (app, router, mount) => {
            app.use(express.json());
            app.use((request, response, next) => {
              if (request.headers['x-gate'] === 'closed') response.status(403).end('closed');
              else next();
            });
            app.use(mount, router);
          },
        });
        headers = { authorization: `Bearer ${await tokenOf(agent)}`, 'x-gate': 'closed' };
      });
      afterAll(() => host.close());

      it.each<[string, string, Call]>([
        ['broken JSON', '400 validation_failed', { raw: '{' }],
        ['no gzip', '400 validation_failed', { raw: '{}', headers: { 'content-encoding': 'gzip' } }],
        [
          'an unknown charset',
          '415 unsupported_media_type',
          { raw: '{}', headers: { 'content-type': 'application/json; charset=x' } },
        ],
        ['too much', '413 payload_too_large', { raw: `"${'x'.repeat(200_000)}"` }],
      ])(
        'a request with %s passes no gate by it: it is answered with %s and not served',
        async (_what, answer, call) => {
          const { id } = await created(host);
          for (const [method, path] of [
            ['GET', `${base}/${id}`],
            ['GET', `${base}?pageSize=5`],
            ['POST', `${base}/activate/${id}`],
            ['DELETE', `${base}/${id}`],
          ] as const) {
            expect((await exchange(host.port, method, path, { headers })).text).toBe('closed');
            const { status, body } = await exchange(host.port, method, path, {
              ...call,
              headers: { ...headers, ...call.headers },
            });
            expect(`${method} ${String(status)} ${String(body.code)}`).toBe(`${method} ${answer}`);
          }
          const kept = await host.call('GET', `${base}/${id}`, { as: agent });
          expect([kept.status, kept.headers['etag']]).toEqual([200, '"1"']);
        },
      );

      it('a body of no bytes that the parser refused does not pass for none where a body is optional', async () => {
        const { id } = await created(host);
        const empty = { 'content-type': 'application/json; charset=x', 'content-length': '0' };
        const path = `${base}/${id}/cancel`;
        const { status } = await exchange(host.port, 'PUT', path, { headers: { ...headers, ...empty } });
        expect(status).toBe(415);
        expect((await host.call('GET', `${base}/${id}`, { as: agent })).headers['etag']).toBe('"1"');
      });
    });

    const places: readonly (readonly [string, HostOptions])[] = [
      ['the root', {}],
      ['/a/b', { mount: '/a/b' }],
      ['a path that ends like one of ours', { mount: '/api/v2/appointments' }],
      ['a path with parameters', { mount: '/calends' }],
    ];
    it.each(places)('the router works under %s', async (_, options) => {
      const host = await startHost({ express, ...options });
      const { id } = await created(host);
      expect((await host.call('GET', `${base}/${id}/`, { as: agent })).status).toBe(200);
      expect((await host.call('GET', `${base}?pageSize=5`, { as: agent })).body.pageSize).toBe(5);
      await host.close();
    });

    it.each([
      ['query parser', 'extended'],
      ['query parser', 'simple'],
      ['query parser', false],
      ['query parser', () => ({ pageSize: { evil: true } })],
      ['case sensitive routing', true],
      ['strict routing', true],
      ['trust proxy', true],
      ['etag', 'strong'],
      ['x-powered-by', true],
    ])('the router works with %s %s', async (setting, value) => {
      const host = await startHost({
        express,
        build: (app, router, mount) => {
          app.set(setting, value);
          app.use(mount, router);
        },
      });
      await created(host);
      const { body } = await host.call('GET', `${base}?pageSize=7&unknown[]=x`, { as: supervisor });
      expect(body).toMatchObject({ pageSize: 7, total: 1 });
      expect((await host.call('GET', `${base}?pageSize[a]=7&pageSize=x`, { as: supervisor })).status).toBe(400);
      await host.close();
    });

    it('unknown paths, OPTIONS and faults of the host go on to the host', async () => {
      const seen: string[] = [];
      const host = await startHost({
        express,
        build: (app, router, mount) => {
          app.use((request, _response, next) => {
            const code = request.headers['x-fail'];
            if (code === undefined) next();
            else next(Object.assign(new Error('of the host'), { code, type: code }));
          });
          app.use(mount, router);
          app.use((request, response) => {
            seen.push(`${request.method} ${request.url}`);
            response.status(418).end();
          });
          const rescue: express5.ErrorRequestHandler = (fault: Error, _request, response, _next) => {
            response.status(500).end(fault.message);
          };
          app.use(rescue);
        },
      });
      const paths = [
        ['GET', '/'],
        ['GET', '/api/v2/appointments/a/b/c'],
        ['OPTIONS', '/api/v2/appointments/'],
        ['GET', '/api/v1/appointments/'],
      ] as const;
      for (const [method, path] of paths) expect((await exchange(host.port, method, path)).status).toBe(418);
      expect(seen).toEqual(paths.map((each) => each.join(' ')));
      // What a parser throws has a status besides.
      for (const code of ['1', 'Z_DATA_ERROR', 'entity.parse.failed']) {
        const failed = await exchange(host.port, 'GET', base, { headers: { 'x-fail': code } });
        expect([failed.status, failed.text]).toEqual([500, 'of the host']);
      }
      await host.close();
    });

    it('an answer that middleware of the host has begun is hung up on, told once, and nothing of the request is carried out', async () => {
      const host = await startHost({
        express,
        build: (app, router, mount) => {
          app.use((_request, response, next) => {
            response.flushHeaders();
            next();
          });
          app.use(mount, router);
        },
      });
      await expect(host.call('POST', `${base}/`, { as: agent, json: creation() })).rejects.toThrow();
      expect([host.faults.length, host.events]).toEqual([1, []]);
      await host.close();
    });

    it('a known path with a method that it does not have is 404 with Allow', async () => {
      const host = await startHost({ express });
      const headers = { authorization: `Bearer ${await tokenOf(agent)}` };
      for (const [method, path, allow] of [
        ['PATCH', `${base}/`, 'GET, HEAD, POST, PUT'],
        ['POST', `${base}/count`, 'GET, HEAD'],
        ['TRACE', '/api/notifications/webhooks/types', 'GET, HEAD'],
      ] as const) {
        const reply = await exchange(host.port, method, path, { headers });
        expect([reply.status, reply.body.code, reply.headers['allow']]).toEqual([404, 'not_found', allow]);
        expect(reply.headers['content-type']).toBe('application/problem+json');
        expect(reply.body.detail).toBe(
          'This address does not have this method; the header Allow names those that it has.',
        );
      }
      await host.close();
    });
  });
}
