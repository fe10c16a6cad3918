import { type Operation, operations } from '../catalogue.js';
import { type OptionalOperation, optionalOperations } from '../operation.js';
import { checkOptionNames } from '@calends/model';
import { roleConditions } from '../roles.js';
import { componentSchemas, type DocumentObject, schemaReference } from './components.js';
import { requestExamples } from './examples.js';
import { answerHeaders, headerParameters, parametersOf } from './parameters.js';
import { problemResponses, responsesOf } from './responses.js';

/** What a host can say about its own document. */
export interface OpenApiOptions {
  /** Address under which the paths are found; absent = relative to where the document is served. */
  readonly serverUrl?: string | undefined;
  /** Version of the interface; default `1.0.0`, as the documents label it. */
  readonly version?: string | undefined;
  /** Optional operations that the host has turned on (D29); {@link optionalOperations} for all of them. Default: none. */
  readonly include?: readonly OptionalOperation[] | undefined;
  /** Counting needs no authorization: the host chose `countAuth: 'none'` (D28). */
  readonly publicCount?: boolean | undefined;
  /** Visitors may find, explain and hold: the host chose `availabilityAuth: 'none'`. */
  readonly publicAvailability?: boolean | undefined;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: DocumentObject;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentObject>>>>;
  readonly components: Readonly<Record<string, DocumentObject>>;
}

/**
 * Makes the OpenAPI 3.1 document of the HTTP services from the operation catalogue; a new object on every call.
 *
 * @throws TypeError that names an option, or an optional operation, that is misspelt
 */
export function openApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  checkOptions(options);
  const included = operations.filter(
    ({ optional }) => optional === undefined || (options.include ?? []).includes(optional),
  );
  const paths = pathsOf(included, options);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Calends: appointment scheduling and notification status',
      version: options.version ?? '1.0.0',
      description:
        'Bodies are JSON, timestamps ISO 8601 in UTC. Array parameters may be repeated or comma-separated. Errors are RFC 9457 problems with a stable `code`. Statuses beyond those ' +
        'of the interface documents are listed in `x-additive-statuses`. What a host can leave out says in `x-optional` what turns it on.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl ?? '/' }],
    tags: tags.filter(({ name }) => included.some(({ tag }) => tag === name)),
    paths,
    components: {
      schemas: reachable(componentSchemas(), { paths, responses: problemResponses() }),
      responses: problemResponses(),
      parameters: headerParameters,
      headers: answerHeaders,
      securitySchemes,
    },
  };
}

const optionNames = ['serverUrl', 'version', 'include', 'publicCount', 'publicAvailability'];

/** What is misspelt would leave its operations out of the document without a word. */
function checkOptions(options: OpenApiOptions): void {
  checkOptionNames('options', options, optionNames);
  const { include = [] } = options;
  if (!Array.isArray(include)) throw new TypeError('options.include: must be a list of optional operations.');
  checkOptionNames(
    'options.include',
    Object.fromEntries(include.map((name) => [String(name), true])),
    optionalOperations,
  );
}

const tags = [
  { name: 'Appointments v2', description: 'The current family.' },
  { name: 'Appointments v1', description: 'The older family, kept for existing integrations.' },
  { name: 'Notifications', description: 'Delivery status of notifications to customers, and web hook endpoints.' },
  { name: 'Customers', description: 'What customers and calendars need; each only where the host turns it on.' },
  { name: 'Availability', description: 'When somebody can come, services and hours; only where the host turns it on.' },
];

/** What a host must do for an optional operation to be there. */
const turnedOnBy: Readonly<Record<OptionalOperation, string>> = {
  countOverlapping: 'option `countOverlapping` of the HTTP services',
  oneTimePasswords: 'option `oneTimePasswords` of the HTTP services; `CALENDS_OTP_REQUESTS=on` of the server',
  customerSessions: 'option `customerSessions` of the HTTP services; the server always has it',
  calendarFeeds: 'option `calendarFeeds` of the HTTP services; the server always has it',
  webhookEndpoints: 'option `webhookEndpoints` of the HTTP services; the server always has it',
  availability: 'option `availability` of the HTTP services, over a library that has it on',
};

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A JWT of the host.' },
  basic: { type: 'http', scheme: 'basic', description: 'User name and one-time password.' },
};

/** The schemas that the operations refer to, directly or through each other. */
function reachable(schemas: DocumentObject, from: DocumentObject): DocumentObject {
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(schemas[name]);
    }
  };
  follow(from);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function pathsOf(included: readonly Operation[], options: OpenApiOptions): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, DocumentObject>> = {};
  for (const operation of included) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, options),
    };
  }
  return paths;
}

function operationObject(operation: Operation, options: OpenApiOptions): DocumentObject {
  const parameters = parametersOf(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\n${rolesSentence(operation)}`,
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(operation.optional === undefined ? {} : { 'x-optional': turnedOnBy[operation.optional] }),
    security: securityOf(operation, options),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(operation),
    responses: responsesOf(operation),
    'x-roles': operation.roles,
    'x-additive-statuses': operation.additiveStatuses,
  };
}

function requestBodyOf(operation: Operation): DocumentObject {
  if (operation.body === undefined) return {};
  const content = { schema: schemaReference(operation.body), example: requestExamples[operation.id] };
  const description = `At most ${String(operation.bodyLimit / 1024)} KiB.`;
  return { requestBody: { description, required: operation.bodyRequired, content: { 'application/json': content } } };
}

function securityOf(
  operation: Operation,
  { publicCount, publicAvailability }: OpenApiOptions,
): readonly DocumentObject[] {
  switch (operation.authentication) {
    case 'bearer':
      return [{ bearer: [] }];
    case 'one-time-password':
      return [{ basic: [] }];
    case 'bearer-unless-public':
      return publicCount === true ? [] : [{ bearer: [] }];
    case 'bearer-or-visitor':
      return publicAvailability === true ? [{ bearer: [] }, {}] : [{ bearer: [] }];
    case 'none':
      return [];
  }
}

function rolesSentence({ roles, authentication }: Operation): string {
  if (authentication === 'none') return 'Roles: none.';
  if (roles.length === 0) return 'Roles: none; the one-time password stands for the customer.';
  const rows = roles.map(({ role, when }) => (when === undefined ? role : `${role} ${roleConditions[when]}`));
  return `Roles: ${rows.join(', ')}.`;
}
