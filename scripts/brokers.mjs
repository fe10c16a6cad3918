// Brokers for tests: those that an environment names, and those that a test starts, kills and starts again.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, kill, onPath, run, untilSo } from './own-processes.mjs';

const named = [
  { name: 'NATS', variable: 'CALENDS_TEST_NATS_URL', port: 4222 },
  { name: 'RabbitMQ', variable: 'CALENDS_TEST_RABBITMQ_URL', port: 5672 },
  { name: 'Redis', variable: 'CALENDS_TEST_REDIS_URL', port: 6379 },
];

const isRequired = () => process.env['CALENDS_REQUIRE_DATABASES'] === '1';

/** Resolves once somebody takes connections there; rejects where nobody does. */
async function knock(host, port) {
  const socket = connect({ host, port, timeout: 5000 });
  socket.on('timeout', () => socket.destroy(new Error('time-out')));
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

/** One finding for each broker: tested or left out, or a fault (asked for and not there). */
export function askBrokers({ required }) {
  return Promise.all(
    named.map(async ({ name, variable, port }) => {
      const url = process.env[variable];
      if (!url) {
        return required
          ? { fault: `${name} is required and ${variable} is not set` }
          : { text: `${name} is left out (${variable} is not set)` };
      }
      try {
        const target = new URL(url);
        await knock(target.hostname, Number(target.port || port));
        return { text: `${name} is tested on the broker of ${variable}` };
      } catch (error) {
        return { fault: `the ${name} broker of ${variable} does not answer: ${error.code ?? error.message}` };
      }
    }),
  );
}

/** The address of a broker that tests may use; undefined where its tests are left out. */
export function brokerUrl(variable) {
  const url = process.env[variable] || undefined;
  if (url === undefined && isRequired()) throw new Error(`CALENDS_REQUIRE_DATABASES=1: ${variable} is not set`);
  return url;
}

function rabbitProgram() {
  const lib = '/usr/lib/rabbitmq/lib';
  const found = existsSync(lib) ? readdirSync(lib).map((each) => join(lib, each, 'sbin', 'rabbitmq-server')) : [];
  return found.find((path) => existsSync(path));
}

/** How a broker of a test's own is run: everything that it keeps lies in `folder`. */
const kinds = {
  nats: {
    program: () => onPath('nats-server'),
    url: (port) => `nats://127.0.0.1:${port}`,
    start: ({ program, folder, port }) => run(program, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)]),
  },
  redis: {
    program: () => onPath('redis-server'),
    url: (port) => `redis://127.0.0.1:${port}`,
    start: ({ program, folder, port }) =>
      run(program, [
        ...['--dir', folder, '--port', String(port), '--bind', '127.0.0.1', '--save', ''],
        ...['--appendonly', 'yes', '--appendfsync', 'always'],
      ]),
  },
  rabbitmq: {
    program: rabbitProgram,
    url: (port) => `amqp://guest:guest@127.0.0.1:${port}`,
    async prepare(folder) {
      const epmdPort = await freePort();
      writeFileSync(join(folder, 'plugins'), '[].\n');
      return { epmdPort, distPort: await freePort(), epmd: run(onPath('epmd'), ['-port', String(epmdPort)]) };
    },
    start: ({ program, folder, port, epmdPort, distPort }) =>
      run(program, [], {
        env: {
          HOME: folder,
          ERL_EPMD_PORT: String(epmdPort),
          RABBITMQ_NODENAME: 'calends-test@localhost',
          RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
          RABBITMQ_NODE_PORT: String(port),
          RABBITMQ_DIST_PORT: String(distPort),
          RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
          RABBITMQ_LOG_BASE: join(folder, 'log'),
          RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
          RABBITMQ_CONFIG_FILE: join(folder, 'none'),
          RABBITMQ_CONF_ENV_FILE: '/dev/null',
        },
      }),
  },
};

/** Why this kind of broker cannot be started here; undefined where it can. */
export function missingBroker(kind) {
  if (kinds[kind].program() !== undefined) return undefined;
  if (isRequired()) throw new Error(`CALENDS_REQUIRE_DATABASES=1: ${kind} is not installed`);
  return `${kind} is not installed`;
}

/** Starts a broker of the test's own, which keeps what it confirms on disk. `isUp` asks it over its own protocol. */
export async function startBroker(kind, isUp) {
  const { program, url, prepare, start } = kinds[kind];
  const folder = mkdtempSync(join(tmpdir(), `calends-${kind}-`));
  const port = await freePort();
  const place = { program: program(), folder, port, ...(await prepare?.(folder)) };
  const address = url(port);
  let child;

  async function begin() {
    child = start(place);
    await untilSo(kind, () => isUp(address), child);
  }

  async function end() {
    if (child !== undefined) await kill(child);
    if (place.epmd !== undefined) await kill(place.epmd);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await begin();
  } catch (error) {
    await end();
    throw error;
  }
  return {
    url: address,
    /** Ends it as a crash does, and starts it again on what it has on disk. */
    async restart() {
      await kill(child);
      await begin();
    },
    end,
  };
}
