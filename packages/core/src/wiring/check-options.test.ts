import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { checkOptions } from './check-options.js';
import type { SchedulingOptions } from './options.js';

const good = { store: memoryStore(), secret: 'a secret of at least thirty-two bytes' };

const weak = (at: string): string => `${at}: must have at least 8 different bytes; make it with a generator`;
const noMore = 'roomBaseUrl: must have no query and no fragment, as the name of a room is put at its end';
const signingKey = { id: 'k1', secret: good.secret };
const bytes = (length: number): Uint8Array => new Uint8Array(length);
const subjects = 'appointments, customers, notifications, events, requests, audit, keys';
const ownRouting = { type: 'OWN', entryPoint: 'deploymentId', chatModes: ['own'], defaultChatMode: 'own' };
const contactOf = (): undefined => undefined;

/** The faults, one line each. */
function faultsOf(options: unknown): readonly string[] {
  try {
    checkOptions(options as SchedulingOptions);
    return [];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    expect(error.message).toMatch(/^createScheduling: /);
    return error.message.split('\n  - ').slice(1);
  }
}

const application = (settings: object): object => ({ ...good, applications: { 'app-1': settings } });

describe('Options of createScheduling', () => {
  it.each<[string, object]>([
    ['store and secret only', good],
    ['a secret of 32 bytes', { ...good, secret: Uint8Array.from({ length: 32 }, (_, index) => index % 8) }],
    ['a secret whose UTF-8 has 32 bytes', { ...good, secret: 'äöüßéèêñ'.repeat(2) }],
    [
      'several secrets',
      { ...good, secret: [good.secret, new TextEncoder().encode('another secret of at least thirty-two bytes')] },
    ],
    ['applications', application({ allowPastStart: true, agents: ['a'], duration: { min: 1, max: 60_000 } })],
    ['a source of settings', { ...good, applications: { find: () => undefined } }],
    ['worker options', { ...good, worker: { interval: 10, batchSize: 1, lease: 1000 } }],
    ['ages', { ...good, retention: { events: 0, notifications: 604_800_000, audit: 2_592_000_000 } }],
    ['undefined for what has a default', { ...good, clock: undefined, applications: undefined, worker: undefined }],
    ['a base address', { ...good, roomBaseUrl: 'https://rooms.example.org/x' }],
    ['a page for manage links', { ...good, managePageUrl: 'http://localhost:3000/customer?lang=en' }],
    ['one signing key', { ...good, signingKeys: [{ id: 'key_1-A', secret: good.secret }] }],
    ['two signing keys', { ...good, signingKeys: [signingKey, { id: 'k2', secret: new Uint8Array(32) }] }],
    ['a source of secrets and a directory', { ...good, secureRandom: { bytes }, customerDirectory: { contactOf } }],
  ])('Options of createScheduling may be %s', (_what, options) => {
    expect(faultsOf(options)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no store', { secret: good.secret }, 'store: must be given'],
    ['no secret', { store: good.store }, 'secret: must be given'],
    [
      'notifications that go while they may change',
      { ...good, retention: { notifications: 604_799_999 } },
      'retention.notifications: Too small: expected number to be >=604800000',
    ],
    [
      'an audit record that goes within a month',
      { ...good, retention: { audit: 2_591_999_999 } },
      'retention.audit: Too small: expected number to be >=2592000000',
    ],
    ['an age of what has none', { ...good, retention: { requests: 1 } }, 'retention: unknown option requests'],
    [
      'an age where the store removes nothing',
      { ...good, store: { ...good.store, retention: undefined }, retention: { notifications: 604_800_000 } },
      'retention.notifications: the store cannot remove that',
    ],
    ['a short secret', { ...good, secret: 'x'.repeat(31) }, 'secret: must have at least 32 bytes'],
    ['32 equal letters', { ...good, secret: 'x'.repeat(32) }, weak('secret')],
    ['a few letters again and again', { ...good, secret: 'abcdefg'.repeat(9) }, weak('secret')],
    ['bytes that are all zero', { ...good, secret: new Uint8Array(64) }, weak('secret')],
    ['no secret in the list', { ...good, secret: [] }, 'secret: must not be empty'],
    ['a weak one of several', { ...good, secret: [good.secret, 'x'.repeat(32)] }, weak('secret.1')],
    ['a short one of several', { ...good, secret: ['x', good.secret] }, 'secret.0: must have at least 32 bytes'],
    ['the same secret twice', { ...good, secret: [good.secret, good.secret] }, 'secret: must be different secrets'],
    ['an empty secret', { ...good, secret: '' }, 'secret: must have at least 32 bytes'],
    ['a secret of another type', { ...good, secret: 32 }, 'secret: must have at least 32 bytes'],
    ['a store without methods', { ...good, store: {} }, `store: must have commit, nextWakeAt, check, ${subjects}`],
    ['a store that is a text', { ...good, store: 'sqlite' }, `store: must have commit, nextWakeAt, check, ${subjects}`],
    [
      'a store with its methods in one heap',
      { ...good, store: { commit: contactOf, nextWakeAt: contactOf, check: contactOf, findAppointment: contactOf } },
      `store: must have ${subjects}`,
    ],
    ['null for a port', { ...good, clock: null }, 'clock: must have now'],
    ['null for notifiers', { ...good, notifiers: null }, 'notifiers: must be an object'],
    ['a text for notifiers', { ...good, notifiers: 'email' }, 'notifiers: must be an object'],
    ['a function for a port', { ...good, clock: () => 0 }, 'clock: must have now'],
    ['an address without http', { ...good, roomBaseUrl: 'ftp://x' }, 'roomBaseUrl: must be an http or https address'],
    [
      'an address of a script',
      { ...good, roomBaseUrl: 'javascript:alert(1)' },
      'roomBaseUrl: must be an http or https address',
    ],
    ['a page without http', { ...good, managePageUrl: '/customer' }, 'managePageUrl: must be an http or https address'],
    ['a page that is no text', { ...good, managePageUrl: 5 }, 'managePageUrl: must be an http or https address'],
    ['a page of no host', { ...good, managePageUrl: 'https://[' }, 'managePageUrl: must be an http or https address'],
    [
      'a page with a fragment',
      { ...good, managePageUrl: 'https://x.example/#a' },
      'managePageUrl: must have no fragment',
    ],
    ['a base address with a query', { ...good, roomBaseUrl: 'https://x.example/?a=b' }, noMore],
    ['a base address with a fragment', { ...good, roomBaseUrl: 'https://x.example/#a' }, noMore],
    ['no signing key', { ...good, signingKeys: [] }, 'signingKeys: must be a list of one or 2 keys'],
    ['a key that is no list', { ...good, signingKeys: signingKey }, 'signingKeys: must be a list of one or 2 keys'],
    [
      'three signing keys',
      { ...good, signingKeys: ['a', 'b', 'c'].map((id) => ({ ...signingKey, id })) },
      'signingKeys: must be a list of one or 2 keys',
    ],
    ['two keys of one id', { ...good, signingKeys: [signingKey, signingKey] }, 'signingKeys: must have different ids'],
    ['null for a key', { ...good, signingKeys: [null] }, 'signingKeys.0: must have id and secret'],
    ['a text for a key', { ...good, signingKeys: [signingKey, 'key'] }, 'signingKeys.1: must have id and secret'],
    [
      'a key with a long id',
      { ...good, signingKeys: [{ ...signingKey, id: 'k'.repeat(33) }] },
      'signingKeys.0.id: must be 1 to 32 of A-Z, a-z, 0-9, - and _',
    ],
    [
      'a key with a path for an id',
      { ...good, signingKeys: [{ ...signingKey, id: '../key' }] },
      'signingKeys.0.id: must be 1 to 32 of A-Z, a-z, 0-9, - and _',
    ],
    [
      'a short signing key',
      { ...good, signingKeys: [{ id: 'k1', secret: 'hunter2' }] },
      'signingKeys.0.secret: must have at least 32 bytes',
    ],
    [
      'a directory that is a function',
      { ...good, customerDirectory: contactOf },
      'customerDirectory: must have contactOf',
    ],
    ['a source without bytes', { ...good, secureRandom: {} }, 'secureRandom: must have bytes'],
    ['a misspelt name', { ...good, otpVerifer: {} }, 'unknown option otpVerifer; did you mean otpVerifier?'],
    ['a name in other letter case', { ...good, Worker: {} }, 'unknown option Worker; did you mean worker?'],
    ['an unknown name', { ...good, somethingElse: 1 }, 'unknown option somethingElse'],
    [
      'a misspelt name of availability',
      { ...good, availability: { service: {} } },
      'availability: unknown option service; did you mean services?',
    ],
    [
      'a misspelt name in hours',
      { ...good, availability: { hours: { a: { timezone: 'UTC', weekly: [], timezon: 'UTC' } } } },
      'availability.hours.a: unknown option timezon; did you mean timezone?',
    ],
    [
      'a hold of an hour',
      { ...good, availability: { holds: { duration: 3_600_000 } } },
      'availability.holds.duration: Too big: expected number to be <=900000',
    ],
    [
      'a zone that is none in hours',
      { ...good, availability: { hours: { a: { timezone: 'Mars', weekly: [] } } } },
      'availability.hours.a.timezone: Must be the name of an IANA time zone, or UTC.',
    ],
    [
      'a source of busy times that is none',
      { ...good, busySources: [{}] },
      'busySources: must be a list of what has busy',
    ],
    [
      'a source of services where availability is off',
      { ...good, availabilitySource: { serviceOf: contactOf, servicesOf: () => [], hoursOf: () => [] } },
      'availabilitySource: is asked only where availability is on; `availability: {}` turns it on',
    ],
    [
      'sources of busy times where availability is off',
      { ...good, busySources: [{ busy: () => [] }] },
      'busySources: are asked only where availability is on; `availability: {}` turns it on',
    ],
    [
      'availability over a store without it',
      { ...good, store: { ...good.store, availability: undefined }, availability: {} },
      'availability: the store keeps no services, hours and holds',
    ],
    [
      'a misspelt setting',
      application({ agentReassignmentEnable: true }),
      'applications.app-1: unknown option agentReassignmentEnable; did you mean agentReassignmentEnabled?',
    ],
    [
      'a misspelt inner setting',
      application({ autoActivation: { enabled: true, leadTime: 1, leadtime: 1 } }),
      'applications.app-1.autoActivation: unknown option leadtime; did you mean leadTime?',
    ],
    [
      'a misspelt worker option',
      { ...good, worker: { batchsize: 5 } },
      'worker: unknown option batchsize; did you mean batchSize?',
    ],
    [
      'bounds the wrong way round',
      application({ duration: { min: 2, max: 1 } }),
      'applications.app-1.duration: min must not be above max',
    ],
    [
      'a locale that is not canonical',
      application({ locale: 'en_us' }),
      'applications.app-1.locale: must be a canonical BCP 47 language tag',
    ],
    ['applications that are null', { ...good, applications: null }, 'applications: must be an object or have find'],
    ['applications that are a list', { ...good, applications: [] }, 'applications: must be an object or have find'],
    [
      'applications that are a map',
      { ...good, applications: new Map([['app-1', { allowPastStart: true }]]) },
      'applications: must be an object or have find',
    ],
    [
      'applications that come later',
      { ...good, applications: Promise.resolve({ 'app-1': {} }) },
      'applications: must be an object or have find',
    ],
    [
      'an application that is null',
      { ...good, applications: { 'app-1': null } },
      'applications.app-1: Invalid input: expected object, received null',
    ],
    [
      'an application whose id has a line break',
      { ...good, applications: { 'app\n1': {} } },
      'applications: an id must have 1 to 64 characters, and no control characters',
    ],
    [
      'an organization with a control character',
      application({ organizationId: 'org\u0000' }),
      'applications.app-1.organizationId: must have 1 to 128 characters, and no control characters',
    ],
    [
      'an agent with a line break',
      application({ agents: ['agent-1', 'agent\n2'] }),
      'applications.app-1.agents.1: must have 1 to 128 characters, and no control characters',
    ],
    [
      'an endpoint with a tab',
      application({
        notifications: {
          webhooks: [{ id: 'a\tb', label: 'Shop', url: 'https://shop.example/', secret: `whsec_${'A'.repeat(32)}` }],
        },
      }),
      'applications.app-1.notifications.webhooks.0.id: must have 1 to 64 characters, and no control characters',
    ],
    ['routing providers that are no list', { ...good, routingProviders: {} }, 'routingProviders: must be a list'],
    ['null for routing providers', { ...good, routingProviders: null }, 'routingProviders: must be a list'],
    [
      'a routing provider without a type',
      { ...good, routingProviders: [{ ...ownRouting, type: '' }] },
      'routingProviders.0.type: must be a string that is not empty',
    ],
    [
      'a routing provider without an entry point',
      { ...good, routingProviders: [ownRouting, { ...ownRouting, entryPoint: 'queueId' }] },
      'routingProviders.1.entryPoint: must be deploymentId or touchpointId',
    ],
    [
      'a routing provider without modes',
      { ...good, routingProviders: [{ ...ownRouting, chatModes: [] }] },
      'routingProviders.0.chatModes: must be a list of at least one string, and none of them empty',
    ],
    [
      'a routing provider whose mode is none of its modes',
      { ...good, routingProviders: [{ ...ownRouting, defaultChatMode: 'other' }] },
      'routingProviders.0.defaultChatMode: must be one of its chatModes',
    ],
    ['null for a routing provider', { ...good, routingProviders: [null] }, 'routingProviders.0: must be an object'],
  ])('Options of createScheduling must not be %s', (_what, options, fault) => {
    expect(faultsOf(options)).toEqual([fault]);
  });

  it.each([
    ['duration', { min: 0, max: 1 }],
    ['duration', { min: 1, max: 8 * 86_400_000 }],
    ['duration', { max: 1 }],
    ['duration', { min: 25 * 3_600_000 }],
    ['overlap', { buffer: 0 }],
    ['noShowGrace', -1],
    ['noShowGrace', 1.5],
    ['noShowGrace', 'PT15M'],
    ['agents', 'agent-1'],
    ['agents', ['']],
    ['overlap', { mode: 'on', buffer: 0 }],
    ['customerMaxReschedules', -1],
    ['customerNotificationHeaders', ['x-api-key']],
    ['customerNotificationHeaders', 'x-campaign'],
    ['staffNotificationHeaders', ['Host']],
    ['staffNotificationHeaders', Array.from({ length: 33 }, (_, index) => `x-${String(index)}`)],
    ['notifications', { active: 'yes' }],
    ['routing', { deploymentId: 'd-1' }],
    ['allowPastStart', 1],
  ])('Options of createScheduling must not set %s to %j', (name, value) => {
    const [fault, ...others] = faultsOf(application({ [name]: value }));
    expect(fault).toMatch(new RegExp(`^applications\\.app-1\\.${name}`));
    expect(others).toEqual([]);
  });

  it.each([
    ['autoActivation', { enabled: false }],
    ['duration', { max: 7_200_000 }],
    ['overlap', { mode: 'agent' }],
    ['customerCreate', { service: 'required' }],
  ])('Options of createScheduling may set a part of %s: %j', (name, value) => {
    expect(faultsOf(application({ [name]: value }))).toEqual([]);
  });

  it('Options of createScheduling must not set a routing type that no provider has', () => {
    const routing = { type: 'PROVIDERA_CLOUD_FLOV' };
    expect(faultsOf(application({ routing }))).toEqual([
      'applications.app-1.routing.type: is not known; did you mean PROVIDERA_CLOUD_FLOW?',
    ]);
    const ofOwnType = application({ routing: { type: 'OWN' } });
    expect(faultsOf({ ...ofOwnType, routingProviders: [ownRouting] })).toEqual([]);
  });

  const inB = { organizationId: 'b', agents: ['agent-2'] };
  const listed = { agents: ['agent-1'], defaultAgent: 'agent-2' };
  const unlisted = ['applications.app-1.defaultAgent: must be one of the agents that its organization lists'];

  it.each<[string, object, readonly string[]]>([
    ['is not in its list', { 'app-1': listed }, unlisted],
    ['is not in its empty list', { 'app-1': { ...listed, agents: [] } }, unlisted],
    ['is in a list of another organization', { 'app-1': { ...listed, organizationId: 'a' }, b: inB }, unlisted],
    ['is in its list', { 'app-1': { ...listed, defaultAgent: 'agent-1' } }, []],
    ['is in another list of its organization', { 'app-1': { ...listed, organizationId: 'b' }, b: inB }, []],
    ['is in a list of no organization', { 'app-1': { ...listed, organizationId: 'a' }, b: { agents: inB.agents } }, []],
    ['is in a list that is perhaps of its organization', { 'app-1': listed, b: inB }, []],
    ['has no list', { 'app-1': { defaultAgent: 'agent-2' }, b: { agents: ['agent-1'] } }, []],
  ])(
    'Options of createScheduling are told of a default agent that nobody knows: one that %s',
    (_w, applications, faults) => {
      expect(faultsOf({ ...good, applications })).toEqual(faults);
    },
  );

  it('Options of createScheduling may set a default agent that only a directory of the host knows', () => {
    const agentDirectory = { standingOf: () => 'agent' };
    expect(faultsOf({ ...application(listed), agentDirectory })).toEqual([]);
  });

  it.each([undefined, null, 5, 'x', []])('Options of createScheduling must be an object, not %j', (options) => {
    expect(faultsOf(options)).toEqual(['options: must be an object']);
  });

  it.each(
    ['notifiers', 'templates', 'worker', 'retention', 'availability'].flatMap((name) =>
      [Promise.resolve({}), new Map(), new Set()].map((value): [string, object] => [name, value]),
    ),
  )('Options of createScheduling take no promise and no map for %s: it would be taken for empty', (name, value) => {
    expect(faultsOf({ ...good, [name]: value })).toEqual([`${name}: must be an object, and no promise or map of it`]);
  });

  it('Options of createScheduling are told of every fault at once', () => {
    const options = { secret: 'short', storre: {}, worker: { interval: 1 }, applications: { a: { locale: 5 } } };
    expect(faultsOf(options)).toEqual([
      'unknown option storre; did you mean store?',
      'store: must be given',
      'secret: must have at least 32 bytes',
      expect.stringMatching(/^applications\.a\.locale: /) as string,
      expect.stringMatching(/^worker\.interval: /) as string,
    ]);
  });

  it('Options of createScheduling are told of each fault of a routing provider', () => {
    const faults = faultsOf({ ...good, routingProviders: [{}] });
    const names = ['type', 'entryPoint', 'chatModes', 'defaultChatMode'];
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(names.map((name) => `routingProviders.0.${name}`));
  });

  it('Options of createScheduling never appear in the message: a secret is not repeated', () => {
    const signingKeys = [{ id: 'hunter2/', secret: 'hunter2' }];
    const options = { ...good, secret: 'hunter2', signingKeys, applications: { a: { locale: 'hunter2' } } };
    expect(faultsOf(options).join()).not.toContain('hunter2');
  });
});
