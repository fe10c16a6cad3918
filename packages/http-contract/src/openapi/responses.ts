import { type ErrorCode, errorCodes, faultWords } from '@calends/model';
import type { Operation } from '../catalogue.js';
import { problems, problemType } from '../problems.js';
import { problemSchema } from '../schemas/problem.js';
import { type DocumentObject, schemaReference } from './components.js';
import { responseExamples } from './examples.js';

/** What every operation can answer when it does not succeed, by status. */
const problemResponseNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** The answers of an operation: success, the statuses of the document, and the additive ones (D38). */
export function responsesOf(operation: Operation): DocumentObject {
  const { status, schema, mediaType } = operation.success;
  const failures = [...operation.statuses, ...operation.additiveStatuses]
    .filter((listed) => listed !== status)
    .sort((left, right) => left - right)
    .map((listed): [string, DocumentObject] => [String(listed), listed === 304 ? unchanged : problemReference(listed)]);
  const success = {
    description: status === 204 ? 'Done; no body.' : 'Success.',
    ...headersOf(operation),
    ...(mediaType === undefined ? {} : { content: { [mediaType]: { schema: { type: 'string' } } } }),
    ...(schema === undefined
      ? {}
      : {
          content: {
            'application/json': { schema: schemaReference(schema), example: responseExamples[operation.id] },
          },
        }),
  };
  return { [String(status)]: success, ...Object.fromEntries(failures) };
}

const unchanged = {
  description: 'What the client has is still the latest (If-None-Match).',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
};

function headersOf(operation: Operation): DocumentObject {
  const headers = {
    ...(operation.answersETag ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(operation.acceptsIdempotencyKey
      ? { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }
      : {}),
    ...(operation.method === 'GET'
      ? {}
      : { 'Calends-Consistency': { $ref: '#/components/headers/CalendsConsistency' } }),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function problemReference(status: number): DocumentObject {
  const name = problemResponseNames[status];
  if (name === undefined) throw new TypeError(`Status ${status} has no problem response`);
  return { $ref: `#/components/responses/${name}` };
}

/** The shared problem answers, one for each status (D36, D37). */
export function problemResponses(): DocumentObject {
  return Object.fromEntries(
    Object.entries(problemResponseNames).map(([status, name]) => [name, problemResponse(Number(status))]),
  );
}

function problemResponse(status: number): DocumentObject {
  const codes = errorCodes.filter((code) => statusesOf(code).includes(status));
  const content = { schema: schemaReference(problemSchema), example: exampleOf(status, codes) };
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    ...retryHeaders(status),
    content: { 'application/problem+json': content, 'application/json': content },
  };
}

function retryHeaders(status: number): DocumentObject {
  if (status === 401) return { headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWWAuthenticate' } } };
  // 409 where the key of a request is in progress.
  if (status === 409 || status === 429 || status === 503)
    return { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } };
  return {};
}

function statusesOf(code: ErrorCode): readonly number[] {
  return [problems[code].status, ...problems[code].otherStatuses];
}

/** A problem of the first code that has this status as its usual one. */
function exampleOf(status: number, codes: readonly ErrorCode[]): DocumentObject {
  const code = codes.find((candidate) => problems[candidate].status === status) ?? codes[0] ?? 'internal';
  const fault = { pointer: '/customers', code: 'required', detail: faultWords.required };
  return {
    type: problemType(code),
    title: problems[code].title,
    status,
    detail: problems[code].description,
    instance: '/api/v2/appointments/',
    code,
    requestId: '01890a5d-ac96-774b-bcce-b302099a8057',
    ...(code === 'validation_failed' ? { errors: [fault] } : {}),
  };
}
