export type BrokerKind = 'nats' | 'redis' | 'rabbitmq';

export interface Finding {
  readonly text?: string;
  readonly fault?: string;
}

export interface OwnBroker {
  readonly url: string;
  restart(): Promise<void>;
  end(): Promise<void>;
}

export function askBrokers(how: { readonly required: boolean }): Promise<readonly Finding[]>;
export function brokerUrl(variable: string): string | undefined;
export function missingBroker(kind: BrokerKind): string | undefined;
export function startBroker(kind: BrokerKind, isUp: (url: string) => Promise<boolean>): Promise<OwnBroker>;
