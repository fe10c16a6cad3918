import { didYouMean, idRule, isIdText, isWebAddress, limits, unknownOptions } from '@calends/model';
import type * as z from 'zod';
import { notificationFaults } from './check-notifiers.js';
import { signingKeyFaults } from '../access/signing-keys.js';
import { builtInRoutingProviders } from '../domain/appointments/routing.js';
import type { SchedulingOptions } from './options.js';
import { keyIdOf } from '../keys/key-ring.js';
import { schemaFaults } from '../support/schema-faults.js';
import { secretRuleBrokenBy, minSecretBytes } from '../support/secrets.js';
import { unlistedAgent, unlistedDefaultAgents } from '../ports/agent-directory.js';
import { portMethods, portNames, type Ports } from '../ports/ports.js';
import { isSettingsSource } from '../ports/settings-source.js';
import { storeMethods } from '../ports/store/store-methods.js';
import { workerOptionsSchema } from '../background/workers.js';
import { availabilityOptionsSchema } from '../settings/availability-options.js';
import { retentionOptionsSchema } from '../settings/retention-options.js';
import { configuredApplicationSchema } from '../settings/application-settings.js';
import { fieldsOf, isEmptyInstance } from '../support/host-answers.js';

const knownOptions: readonly string[] = [
  ...portNames.filter((name) => name !== 'settingsSource'),
  ...[
    'secret',
    'signingKeys',
    'applications',
    'roomBaseUrl',
    'managePageUrl',
    'routingProviders',
    'worker',
    'retention',
    'templates',
    'availability',
  ],
];

/**
 * Checks the options of `createScheduling`.
 *
 * @throws TypeError that lists every fault, with the nearest known name for an unknown one
 */
export function checkOptions(options: SchedulingOptions): void {
  const faults = isRecord(options) ? optionFaults(options) : ['options: must be an object'];
  // These look into the applications, whose form must be right first.
  if (faults.length === 0)
    faults.push(...notificationFaults(options), ...routingFaults(options), ...agentFaults(options));
  refuse('createScheduling', faults);
}

function refuse(owner: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new TypeError(`${owner}: ${faults.map((fault) => `\n  - ${fault}`).join('')}`);
}

/** What may be absent among the ports has no default. */
const optionalPorts: readonly (keyof Ports)[] = [
  ...(['otpVerifier', 'manageProofVerifier', 'eventPublisher', 'linkSource', 'customerDirectory', 'tracer'] as const),
  'availabilitySource',
];

/**
 * Checks the ports that a container has in the end, by the same rules as the options: one of them may have been rebound.
 *
 * @throws TypeError that lists every fault
 */
export function checkPorts(ports: Ports, configuration: Omit<SchedulingOptions, keyof Ports>): void {
  const options: SchedulingOptions = { ...configuration, ...ports, applications: ports.settingsSource };
  const missing = portNames.filter((name) => (ports[name] ?? undefined) === undefined && !optionalPorts.includes(name));
  const faults = [
    ...missing.map((name) => `${name}: must be given`),
    ...portFaults(options).filter((fault) => !missing.some((name) => fault.startsWith(`${name}:`))),
    ...(missing.includes('settingsSource') || isSettingsSource(ports.settingsSource)
      ? []
      : ['settingsSource: must have find']),
  ];
  if (faults.length === 0) faults.push(...retentionFaults(options), ...availabilityFaults(options));
  if (faults.length === 0) faults.push(...notificationFaults(options));
  refuse('schedulingModule', faults);
}

function optionFaults(options: SchedulingOptions): string[] {
  return [
    ...unknownOptions(options, knownOptions),
    ...portFaults(options),
    ...secretFaults(options.secret),
    ...signingKeyFaults(options.signingKeys, minSecretBytes),
    ...applicationFaults(options.applications),
    ...partFaults('worker', workerOptionsSchema, options.worker),
    ...partFaults('retention', retentionOptionsSchema, options.retention),
    ...retentionFaults(options),
    ...partFaults('availability', availabilityOptionsSchema, options.availability),
    ...availabilityFaults(options),
    ...roomFaults(options.roomBaseUrl),
    ...pageFaults(options.managePageUrl),
    ...(holdsElsewhere(options.templates) ? [notTheObjectItself('templates')] : []),
    ...providerFaults(options.routingProviders),
  ];
}

function providerFaults(providers: unknown = []): readonly string[] {
  if (!Array.isArray(providers)) return ['routingProviders: must be a list'];
  return providers.flatMap((provider: unknown, index) => {
    const at = `routingProviders.${String(index)}`;
    if (!isRecord(provider)) return [`${at}: must be an object`];
    const { type, entryPoint, chatModes, defaultChatMode } = fieldsOf(provider);
    const modes: readonly unknown[] = Array.isArray(chatModes) ? chatModes : [];
    return [
      ...(isText(type) ? [] : [`${at}.type: must be a string that is not empty`]),
      ...(entryPoint === 'deploymentId' || entryPoint === 'touchpointId'
        ? []
        : [`${at}.entryPoint: must be deploymentId or touchpointId`]),
      ...(modes.length > 0 && modes.every(isText)
        ? []
        : [`${at}.chatModes: must be a list of at least one string, and none of them empty`]),
      // Without modes to choose from, their fault is all there is to say.
      ...(isText(defaultChatMode) && (modes.length === 0 || modes.includes(defaultChatMode))
        ? []
        : [`${at}.defaultChatMode: must be one of its chatModes`]),
    ];
  });
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Every create of such an application would be refused, as if its client had asked for that type. */
function routingFaults({ applications = {}, routingProviders = [] }: SchedulingOptions): readonly string[] {
  if (isSettingsSource(applications)) return [];
  const known = [...builtInRoutingProviders, ...routingProviders].map(({ type }) => type);
  return Object.entries(applications).flatMap(([id, { routing }]) =>
    routing === undefined || known.includes(routing.type)
      ? []
      : [`applications.${id}.routing.type: is not known${didYouMean(routing.type, known)}`],
  );
}

/** A directory of the host is asked when it is needed, and may know everybody. */
function agentFaults({ applications = {}, agentDirectory }: SchedulingOptions): readonly string[] {
  if (isSettingsSource(applications) || agentDirectory !== undefined) return [];
  return unlistedDefaultAgents(applications).map((id) => `applications.${id}.defaultAgent: ${unlistedAgent}`);
}

function addressFaults(name: string, address: unknown): readonly string[] {
  return address === undefined || isWebAddress(address) ? [] : [`${name}: must be an http or https address`];
}

function roomFaults(address: unknown): readonly string[] {
  if (!isWebAddress(address)) return addressFaults('roomBaseUrl', address);
  if (!/[?#]/.test(address)) return [];
  return ['roomBaseUrl: must have no query and no fragment, as the name of a room is put at its end'];
}

/** The code of a link becomes the fragment of this address. */
function pageFaults(address: unknown): readonly string[] {
  if (!isWebAddress(address)) return addressFaults('managePageUrl', address);
  return address.includes('#') ? ['managePageUrl: must have no fragment'] : [];
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a store must have only where it is wanted. */
const optionalSubjects: readonly string[] = ['availability', 'retention'];

const storeSubjects = Object.entries(storeMethods).flatMap(([name, part]) =>
  isRecord(part) && !optionalSubjects.includes(name) ? [name] : [],
);

const hasPart = (store: unknown, name: string): boolean => isRecord(fieldsOf(store)[name]);

function retentionFaults({ retention, store }: SchedulingOptions): readonly string[] {
  if (!isRecord(retention) || hasPart(store, 'retention')) return [];
  return (['notifications', 'audit'] as const).flatMap((name) =>
    retention?.[name] === undefined ? [] : [`retention.${name}: the store cannot remove that`],
  );
}

const whereItIsOn = 'only where availability is on; `availability: {}` turns it on';

function availabilityFaults(options: SchedulingOptions): readonly string[] {
  const { availability, store, availabilitySource, busySources = [] } = options;
  const sources: unknown = busySources;
  const isList = Array.isArray(sources) && sources.every((each) => typeof fieldsOf(each)['busy'] === 'function');
  return [
    ...(isList ? [] : ['busySources: must be a list of what has busy']),
    ...(availability === undefined || hasPart(store, 'availability')
      ? []
      : ['availability: the store keeps no services, hours and holds']),
    ...(availability === undefined && availabilitySource !== undefined
      ? [`availabilitySource: is asked ${whereItIsOn}`]
      : []),
    ...(availability === undefined && isList && sources.length > 0 ? [`busySources: are asked ${whereItIsOn}`] : []),
  ];
}

function portFaults(options: SchedulingOptions): readonly string[] {
  return portNames.flatMap((name) => {
    const port: unknown = Reflect.get(options, name);
    const methods: readonly string[] = portMethods[name];
    if (name === 'notifiers' && port !== undefined && !isRecord(port)) return ['notifiers: must be an object'];
    if (name === 'notifiers' && holdsElsewhere(port)) return [notTheObjectItself('notifiers')];
    if (port === undefined) return name === 'store' ? ['store: must be given'] : [];
    const member = (key: string): unknown => (isRecord(port) ? Reflect.get(port as object, key) : undefined);
    const missing = [
      ...methods.filter((method) => typeof member(method) !== 'function'),
      ...(name === 'store' ? storeSubjects.filter((subject) => !isRecord(member(subject))) : []),
    ];
    return missing.length === 0 ? [] : [`${name}: must have ${missing.join(', ')}`];
  });
}

function secretFaults(secret: unknown): readonly string[] {
  if (secret === undefined) return ['secret: must be given'];
  if (!Array.isArray(secret)) return oneSecretFaults('secret', secret);
  if (secret.length === 0) return ['secret: must not be empty'];
  const faults = secret.flatMap((one, index) => oneSecretFaults(`secret.${String(index)}`, one));
  const ids = faults.length > 0 ? [] : secret.map((one: string | Uint8Array) => keyIdOf(one));
  return new Set(ids).size < ids.length ? ['secret: must be different secrets'] : faults;
}

function oneSecretFaults(at: string, secret: unknown): readonly string[] {
  const rule = secretRuleBrokenBy(secret);
  return rule === undefined ? [] : [`${at}: ${rule}`];
}

function applicationFaults(applications: SchedulingOptions['applications']): readonly string[] {
  if (applications === undefined) return [];
  const wrong = ['applications: must be an object or have find'];
  if (!isRecord(applications)) return wrong;
  if (isSettingsSource(applications)) return [];
  // A map or a promise, whose applications are no members of it: taken for none, everything would have the defaults.
  if (isEmptyInstance(applications)) return wrong;
  return Object.entries(applications).flatMap(([id, application]) =>
    isIdText(id, limits.id)
      ? partFaults(`applications.${id}`, configuredApplicationSchema, application)
      : [`applications: an id ${idRule(limits.id)}`],
  );
}

/** A promise that nobody awaited, or a map: all that is optional in it would be taken for not given. */
const holdsElsewhere = (value: unknown): boolean =>
  typeof fieldsOf(value)['then'] === 'function' || value instanceof Map || value instanceof Set;

const notTheObjectItself = (path: string): string => `${path}: must be an object, and no promise or map of it`;

function partFaults(path: string, schema: z.ZodObject, value: unknown): readonly string[] {
  if (holdsElsewhere(value)) return [notTheObjectItself(path)];
  const error = value === undefined ? undefined : schema.safeParse(value).error;
  return error === undefined ? [] : schemaFaults(path, schema, error);
}
