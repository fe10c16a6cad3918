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
