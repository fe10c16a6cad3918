import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { documentedOperations, openApiDocument, operations, optionalOperations } from '../src/index.js';
import type { DocumentObject } from '../src/index.js';
import { requestExamples, responseExamples } from '../src/openapi/examples.js';

const document = openApiDocument({ include: optionalOperations });

interface OperationObject {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly 'x-optional'?: string;
  readonly security: readonly DocumentObject[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly deprecated?: boolean;
    readonly schema: DocumentObject;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: DocumentObject };
  readonly responses: DocumentObject;
}

function operationsOf({ paths }: typeof document): ReadonlyMap<string, OperationObject> {
  const found = Object.values(paths).flatMap((path) => Object.values(path)) as unknown as readonly OperationObject[];
  return new Map(found.map((operation) => [operation.operationId, operation]));
}

/** The JSON Schema of a component, so that examples are checked with a validator that is not zod. */
function componentValidator() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'calends', components: document.components });
  return (schema: DocumentObject, value: unknown): unknown => {
    const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"calends#/')) as DocumentObject;
    ajv.validate(located, value);
    return ajv.errors ?? [];
  };
}

const errorsOf = componentValidator();

describe('The OpenAPI document', () => {
  it('the OpenAPI document is valid for a public OpenAPI 3.1 validator', async () => {
    const validator = new Validator({ strict: false });
    const result = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    expect(result).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    // Every reference points to something.
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('the OpenAPI document has exactly the operations of the catalogue; the optional ones only when included, with their components', () => {
    expect([...operationsOf(openApiDocument()).keys()].sort()).toEqual(documentedOperations.map(({ id }) => id).sort());
    expect([...operationsOf(document).keys()].sort()).toEqual(operations.map(({ id }) => id).sort());
    const components = Object.keys(document.components['schemas']!);
    const own = Object.keys(openApiDocument().components['schemas']!);
    expect(components.filter((name) => !own.includes(name))).toEqual([
      'CustomerSessionRequest',
      'CustomerSessionResponse',
      'Explanation',
      'HeldTime',
      'HoldRequest',
      'Hours',
      'HoursException',
      'HoursExceptionRules',
      'HoursExceptions',
      'HoursOfActors',
      'HoursRules',
      'Offer',
      'Offers',
      'OffersOfDuration',
      'OneTimePasswordRequest',
      'Service',
      'ServiceRules',
      'Services',
      'WebhookEndpoint',
      'WebhookEndpointDetails',
      'WebhookEndpointFailure',
      'WebhookEndpointReplay',
      'WebhookEndpointTest',
      'WebhookEndpoints',
    ]);
  });

  it('the OpenAPI document says of what is optional, and of nothing else, what turns it on', () => {
    const marked = Array.from(operationsOf(document).values()).flatMap((operation) => {
      const mark = operation['x-optional'];
      return mark === undefined ? [] : [[operation.operationId, mark]];
    });
    expect(marked).toEqual(
      operations.flatMap(({ id, optional }) =>
        optional === undefined ? [] : [[id, expect.stringContaining(`option \`${optional}\``)]],
      ),
    );
  });

  it('the OpenAPI document has the component names of the documents', () => {
    const names = Object.keys(document.components['schemas']!);
    expect(names).toEqual(
      expect.arrayContaining([
        'AppointmentResponse',
        'AppointmentResponseV1',
        'AppointmentActivationResponse',
        'AppointmentCountResponse',
        'ScheduleAppointmentRequest',
        'ScheduleAppointmentRequestV1',
        'UpdateAppointmentRequest',
        'UpdateAppointmentRequestV1',
        'ReassignAppointmentRequest',
        'RescheduleAppointmentRequest',
        'CancelAppointmentBody',
        'FindAppointmentsResponsePaged',
        'FindAppointmentsResponsePagedV1',
        'NotificationStatus',
        'NotificationEvent',
        'NotificationRecipient',
        'ListApplicationNotificationsResponsePaged',
        'ListApplicationNotificationEventsResponsePaged',
        'NotificationPollProperties',
        'PollProperty',
        'WebhookNotificationTypes',
        'Problem',
      ]),
    );
    expect(names).toEqual([...names].sort());
  });

  it('the OpenAPI document marks v2 DELETE, eligible and the organizerId parameter as deprecated, and nothing else (spec: Versioning, rule 4)', () => {
    const marked = [...operationsOf(document).values()];
    expect(marked.filter(({ deprecated }) => deprecated === true).map(({ operationId }) => operationId)).toEqual([
      'deleteAppointment',
      'listEligibleAppointments',
      'listEligibleAppointmentsV1',
    ]);
    const parameters = marked.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ deprecated }) => deprecated === true).map(({ name }) => `${operationId} ${name}`),
    );
    expect(parameters).toEqual(['listAppointments organizerId', 'listAppointmentsV1 organizerId']);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s lists the statuses of its document and the additive ones, and its security',
    (id, operation) => {
      const rendered = operationsOf(document).get(id)!;
      const statuses = [...new Set([...operation.statuses, ...operation.additiveStatuses])].sort((a, b) => a - b);
      expect(Object.keys(rendered.responses).map(Number)).toEqual(statuses);
      const bearer = [{ bearer: [] }];
      const schemes = {
        none: [],
        'one-time-password': [{ basic: [] }],
        bearer,
        'bearer-unless-public': bearer,
        'bearer-or-visitor': bearer,
      };
      expect(rendered.security).toEqual(schemes[operation.authentication]);
      expect(rendered.requestBody?.required).toBe(operation.body === undefined ? undefined : operation.bodyRequired);
    },
  );

  it('the OpenAPI document shows count without security when the host made it public (D28)', () => {
    const open = operationsOf(openApiDocument({ publicCount: true }));
    expect(open.get('countAppointments')!.security).toEqual([]);
    expect(open.get('listAppointments')!.security).toEqual([{ bearer: [] }]);
  });

  it('the OpenAPI document lets visitors find, explain and hold without a token where the host does, and nothing else', () => {
    const open = operationsOf(openApiDocument({ include: ['availability'], publicAvailability: true }));
    const withoutToken = [...open].filter(([, { security }]) => security.some((scheme) => !('bearer' in scheme)));
    expect(withoutToken.map(([id]) => id)).toEqual([
      'createAppointmentAsCustomer',
      'createAppointmentAsCustomerV1',
      'findTimes',
      'explainTime',
      'holdTime',
      'releaseHold',
    ]);
    expect(open.get('findTimes')!.security).toEqual([{ bearer: [] }, {}]);
  });

  it('the OpenAPI document requires all four parameters of count, and applicationId of the notification lists', () => {
    const required = (id: string) =>
      operationsOf(document)
        .get(id)!
        .parameters!.filter((parameter) => parameter.required)
        .map(({ name }) => name);
    expect(required('countAppointments')).toEqual(['applicationId', 'organizationId', 'start', 'timeFrame']);
    expect(required('listNotifications')).toEqual(['applicationId']);
    expect(required('listNotificationEvents')).toEqual(['applicationId']);
    expect(required('listAppointments')).toEqual([]);
  });

  it('the OpenAPI document names its server and version as the host says', () => {
    const own = openApiDocument({ serverUrl: 'https://api.example.org/calendar', version: '2.1.0' });
    expect(own.servers).toEqual([{ url: 'https://api.example.org/calendar' }]);
    expect(own.info['version']).toBe('2.1.0');
    expect(document.info['version']).toBe('1.0.0');
  });

  it.each<[object, string]>([
    [{ included: [] }, 'options: unknown option included; did you mean include?'],
    [{ include: ['availabilty'] }, 'options.include: unknown option availabilty; did you mean availability?'],
    [{ include: 'availability' }, 'options.include: must be a list of optional operations.'],
  ])('the OpenAPI document is not made of misspelt options: %j', (options, message) => {
    expect(() => openApiDocument(options)).toThrow(new TypeError(message));
  });

  it('the OpenAPI document forbids no further fields in answers, and leaves out dialect and id of each schema', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"additionalProperties":false');
    expect(text).not.toContain('$schema');
    expect(text).not.toContain('$id');
  });
});

describe('The examples of the OpenAPI document', () => {
  const withBody = operations.filter(({ body }) => body !== undefined);
  const withAnswer = operations.filter(({ success }) => success.schema !== undefined);

  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'the request of %s is valid for zod and for JSON Schema',
    (id, operation) => {
      const example: unknown = requestExamples[id];
      expect(operation.body!.safeParse(example)).toMatchObject({ success: true, data: example });
      const content = operationsOf(document).get(id)!.requestBody!.content['application/json'] as DocumentObject;
      expect(errorsOf(content['schema'] as DocumentObject, content['example'])).toEqual([]);
    },
  );

  it.each(withAnswer.map((operation) => [operation.id, operation] as const))(
    'the answer of %s is valid for zod and for JSON Schema',
    (id, operation) => {
      const example: unknown = responseExamples[id];
      expect(operation.success.schema!.safeParse(example)).toMatchObject({ success: true, data: example });
      const answer = operationsOf(document).get(id)!.responses['200'] as { content: Record<string, DocumentObject> };
      const content = answer.content['application/json']!;
      expect(errorsOf(content['schema'] as DocumentObject, content['example'])).toEqual([]);
    },
  );

  it.each(Object.entries(document.components['responses']!))('the problem of %s is valid', (_name, answer) => {
    const { content } = answer as { content: Record<string, DocumentObject> };
    const { schema, example } = content['application/problem+json']!;
    expect(errorsOf(schema as DocumentObject, example)).toEqual([]);
  });

  it('the JSON Schema of a create request refuses what the service refuses', () => {
    const schema = { $ref: '#/components/schemas/ScheduleAppointmentRequest' };
    const example = requestExamples.createAppointment as DocumentObject;
    expect(errorsOf(schema, { ...example, customers: [] })).not.toEqual([]);
    expect(errorsOf(schema, { ...example, start: undefined })).not.toEqual([]);
    expect(errorsOf(schema, { ...example, title: 'x'.repeat(201) })).not.toEqual([]);
    expect(errorsOf(schema, { ...example, interaction: { routing: { type: 'OTHER' } } })).not.toEqual([]);
    expect(errorsOf(schema, { ...example, targetAssignment: { id: 'queue-1', type: 'QUEUE' } })).not.toEqual([]);
  });

  it.each([
    ['UpdateAppointmentRequest', 'id'],
    ['UpdateAppointmentRequestV1', 'participantId'],
  ])(
    'the JSON Schema %s takes an empty text where it clears, as the service does, and no other text (D2)',
    (name, id) => {
      const schema = { $ref: `#/components/schemas/${name}` };
      const cleared = (text: string) => ({
        id: 'a',
        metadata: text,
        notificationHeaders: text,
        customer: { [id]: 'p', contact: text, name: text, metadata: text },
      });
      expect(errorsOf(schema, cleared(''))).toEqual([]);
      for (const field of ['metadata', 'notificationHeaders', 'customer'] as const) {
        expect(errorsOf(schema, { id: 'a', [field]: cleared('x')[field] })).not.toEqual([]);
      }
    },
  );
});
