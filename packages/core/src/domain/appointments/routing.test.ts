import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../test/error-of.js';
import { InputIssues } from '../calls/input.js';
import type { RoutingSettings } from '../../settings/application-settings.js';
import type { RoutingInput } from '../../operations/appointments/commands.js';
import type { Routing } from './interaction.js';
import { builtInRoutingProviders, RoutingRegistry } from './routing.js';

const a = 'PROVIDERA_CLOUD_FLOW';
const b = 'PROVIDERB_DIGITAL_CONNECT';
const registry = new RoutingRegistry(builtInRoutingProviders);
const v1ChatModes = { [a]: 'providerA-cloud', [b]: 'providerB-digital-connect' };
const application: RoutingSettings = { type: a, deploymentId: 'd-1' };

interface Case {
  readonly input?: RoutingInput | null;
  readonly application?: RoutingSettings | undefined;
  readonly chatModes?: Readonly<Record<string, string>>;
}

async function resolve(given: Case, by = registry): Promise<Routing | undefined | readonly string[]> {
  const issues = new InputIssues();
  const routing = by.resolve(given.input, { application: given.application, chatModes: given.chatModes }, issues);
  return errorOf(() => issues.throwIfAny()).then(
    (error) => error.issues.map(({ pointer, code }) => `${pointer} ${code}`),
    () => routing,
  );
}

const routed = (type: string, properties: Record<string, string>): Routing => ({ type, properties });

describe('Routing (D11)', () => {
  it.each<[string, Case, Routing | undefined]>([
    ['none where neither the request nor the application names one', {}, undefined],
    ['none for an empty routing', { input: {} }, undefined],
    ['none for null', { input: null }, undefined],
    [
      "of the application's provider when the type is omitted",
      { application },
      routed(a, { deploymentId: 'd-1', chatMode: 'providerA-web-messaging' }),
    ],
    [
      "of the application's provider when the type is empty",
      { input: { type: '' }, application },
      routed(a, { deploymentId: 'd-1', chatMode: 'providerA-web-messaging' }),
    ],
    [
      'with providerA-web-messaging for providerA by default',
      { input: { type: a, properties: { deploymentId: 'd-2' } } },
      routed(a, { deploymentId: 'd-2', chatMode: 'providerA-web-messaging' }),
    ],
    [
      'with providerB-digital-connect for providerB by default',
      { input: { type: b, properties: { touchpointId: 't-1' } } },
      routed(b, { touchpointId: 't-1', chatMode: 'providerB-digital-connect' }),
    ],
    [
      'with providerA-cloud for providerA in v1',
      { input: { type: a, properties: { deploymentId: 'd-2' } }, chatModes: v1ChatModes },
      routed(a, { deploymentId: 'd-2', chatMode: 'providerA-cloud' }),
    ],
    [
      'with providerB-digital-connect for providerB in v1',
      { input: { type: b, properties: { touchpointId: 't-1' } }, chatModes: v1ChatModes },
      routed(b, { touchpointId: 't-1', chatMode: 'providerB-digital-connect' }),
    ],
    [
      'with an explicit chatMode kept as given',
      { input: { properties: { chatMode: 'providerA-web-messaging' } }, application, chatModes: v1ChatModes },
      routed(a, { deploymentId: 'd-1', chatMode: 'providerA-web-messaging' }),
    ],
    [
      "with a deploymentId of the request before the application's",
      { input: { properties: { deploymentId: 'd-2' } }, application },
      routed(a, { deploymentId: 'd-2', chatMode: 'providerA-web-messaging' }),
    ],
    [
      'without properties that the provider does not have',
      { input: { properties: { deploymentId: 'd-2', other: 'x', touchpointId: 't' } }, application },
      routed(a, { deploymentId: 'd-2', chatMode: 'providerA-web-messaging' }),
    ],
  ])('Routing is %s', async (_what, given, expected) => {
    expect(await resolve(given)).toEqual(expected);
  });

  const at = '/interaction/routing';

  it.each<[string, Case, readonly string[]]>([
    ['an unknown type', { input: { type: 'OTHER' } }, [`${at}/type invalid_value`]],
    ['a type of another letter case', { input: { type: a.toLowerCase() } }, [`${at}/type invalid_value`]],
    ['a name of objects for a type', { input: { type: '__proto__' } }, [`${at}/type invalid_value`]],
    ['properties without any type', { input: { properties: { deploymentId: 'd' } } }, [`${at}/type required`]],
    ['no deploymentId anywhere', { input: { type: a } }, [`${at}/properties/deploymentId required`]],
    ['no touchpointId anywhere', { input: { type: b }, application }, [`${at}/properties/touchpointId required`]],
    [
      'a chatMode of the other provider',
      { input: { properties: { chatMode: 'providerB-digital-connect' } }, application },
      [`${at}/properties/chatMode invalid_value`],
    ],
    [
      'properties that are no texts',
      { input: { properties: { deploymentId: 5 } as never }, application },
      [`${at}/properties invalid_type`],
    ],
  ])('Routing is refused with %s', async (_what, given, expected) => {
    expect(await resolve(given)).toEqual(expected);
  });

  it('Routing knows the providers that the host adds', async () => {
    const own = { type: 'OWN', entryPoint: 'touchpointId', chatModes: ['x', 'y'], defaultChatMode: 'y' } as const;
    const extended = new RoutingRegistry([...builtInRoutingProviders, own]);
    const input = { type: 'OWN', properties: { touchpointId: 't' } };
    expect(await resolve({ input }, extended)).toEqual(routed('OWN', { touchpointId: 't', chatMode: 'y' }));
  });
});
