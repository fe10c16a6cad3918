import { limits } from '@calends/model';
import type { InputIssues } from '../calls/input.js';
import type { RoutingSettings } from '../../settings/application-settings.js';
import type { Routing } from './interaction.js';

/** A routing provider: what its appointments need and how they chat (spec: Interaction; D11). */
export interface RoutingProvider {
  /** Wire value of `routing.type`. */
  readonly type: string;
  /** Property that names the provider's entry point; a request may leave it to the application. */
  readonly entryPoint: 'deploymentId' | 'touchpointId';
  readonly chatModes: readonly string[];
  /** For requests that name none, unless the call says otherwise. */
  readonly defaultChatMode: string;
}

/** The two providers that the document knows, with the defaults of v2. */
export const builtInRoutingProviders: readonly RoutingProvider[] = [
  {
    type: 'PROVIDERA_CLOUD_FLOW',
    entryPoint: 'deploymentId',
    chatModes: ['providerA-cloud', 'providerA-web-messaging'],
    defaultChatMode: 'providerA-web-messaging',
  },
  {
    type: 'PROVIDERB_DIGITAL_CONNECT',
    entryPoint: 'touchpointId',
    chatModes: ['providerB-digital-connect'],
    defaultChatMode: 'providerB-digital-connect',
  },
];

/** Of what a request gives, `null` stands for nothing. */
type Nullable<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null | undefined };

/** What a request's routing is completed from (D11). */
interface RoutingContext {
  readonly application: RoutingSettings | undefined;
  /** chatMode by routing type, before the provider's own default. */
  readonly chatModes: Readonly<Record<string, string>> | undefined;
}

/** The routing providers that this installation knows. */
export class RoutingRegistry {
  readonly #providers: ReadonlyMap<string, RoutingProvider>;

  constructor(providers: readonly RoutingProvider[]) {
    this.#providers = new Map(providers.map((provider) => [provider.type, provider]));
  }

  /** Completes the routing of a request, or answers none where neither it nor its application names one. */
  resolve(
    input: Partial<Nullable<Routing>> | null | undefined,
    { application, chatModes }: RoutingContext,
    issues: InputIssues,
  ): Routing | undefined {
    const pointer = '/interaction/routing';
    if (input !== undefined && input !== null && !issues.isObject(pointer, input)) return undefined;
    const type = input?.type || application?.type;
    if (type === undefined) {
      if (input?.properties && Object.keys(input.properties).length > 0) {
        issues.add(`${pointer}/type`, 'required', 'Must be given: the application has no provider.');
      }
      return undefined;
    }
    const provider = this.#providers.get(type);
    if (provider === undefined) {
      issues.add(`${pointer}/type`, 'invalid_value', 'Must be a known routing type.');
      return undefined;
    }
    const given = issues.textMap(`${pointer}/properties`, input?.properties);
    const configured = application?.type === type ? application[provider.entryPoint] : undefined;
    const entryPoint = given[provider.entryPoint] || configured;
    if (entryPoint === undefined) {
      issues.add(
        `${pointer}/properties/${provider.entryPoint}`,
        'required',
        'Must be given: the application has none.',
      );
    }
    const chatMode = given['chatMode'] || chatModes?.[type] || provider.defaultChatMode;
    if (!provider.chatModes.includes(chatMode)) {
      issues.add(
        `${pointer}/properties/chatMode`,
        'invalid_value',
        `Must be one of: ${provider.chatModes.join(', ')}.`,
      );
    }
    return {
      type,
      properties: {
        [provider.entryPoint]: (entryPoint ?? '').slice(0, limits.mapValue),
        chatMode,
      },
    };
  }
}
