import type { Scheduling } from '@calends/core';
import type { TokenVerifier } from '../authentication/token-verifier.js';
import type { HttpRequest, HttpResponse } from '../message.js';
import type { AnyHandler, Answer } from '../operations/handler.js';
import type { MountedOperation } from '../operations/mount.js';
import { decodePathId } from '../request/path-id.js';
import { takesOnlyPlainJson } from '../request/media-type.js';
import { entityTag } from '../request/preconditions.js';
import { emptyResponse, fileResponse, jsonResponse } from '../response/encode.js';
import { faultOf, problemBody } from '../response/problem.js';
import { auditRefusal } from './audit-refusal.js';
import { authenticate, challengeOf, type Identity } from './authenticate.js';
import { authorizeRole } from './authorize-role.js';
import { decode, type Input } from './decode.js';

/** What every exchange of one router shares. */
export interface PipelineSettings {
  readonly scheduling: Scheduling;
  readonly verifier: TokenVerifier;
  readonly countIsPublic: boolean;
  readonly bodyLimit: number;
  readonly requestIdHeader: string;
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/** One request on its way through the five steps (architecture: The way of one request). */
export class Exchange {
  readonly #settings: PipelineSettings;
  readonly #mounted: MountedOperation;
  readonly #request: HttpRequest;
  readonly #requestId: string;
  #replayed = false;

  constructor(settings: PipelineSettings, mounted: MountedOperation, request: HttpRequest, requestId: string) {
    this.#settings = settings;
    this.#mounted = mounted;
    this.#request = request;
    this.#requestId = requestId;
  }

  /** Never rejects: whatever is thrown on the way becomes a problem. */
  async run(segment: string | undefined): Promise<HttpResponse> {
    const { scheduling, verifier, countIsPublic, bodyLimit } = this.#settings;
    const mounted = this.#mounted;
    const requestId = this.#requestId;
    const id = segment === undefined ? undefined : decodePathId(segment, mounted.longestId);
    let identity: Identity;
    try {
      identity = await authenticate(mounted, this.#request, verifier, countIsPublic);
      authorizeRole(mounted, identity, id, scheduling.access.conferenceIsAppointment);
    } catch (thrown) {
      auditRefusal(scheduling, { mounted, id, identity, requestId }, thrown);
      return this.#encodeProblem(thrown);
    }
    try {
      const context = { id, bodyLimit, requestId };
      const input = await decode(mounted, this.#request, context, () => (this.#replayed = true));
      return this.#encode(await invoke(mounted.handler, scheduling, identity, input));
    } catch (thrown) {
      return this.#encodeProblem(thrown);
    }
  }

  /** Step 5. */
  #encode({ content, version, file }: Answer): HttpResponse {
    const { operation } = this.#mounted;
    const headers: Record<string, string> = { [this.#settings.requestIdHeader]: this.#requestId };
    if (this.#replayed) headers['Idempotency-Replayed'] = 'true';
    if (operation.answersETag && version !== undefined) headers['ETag'] = entityTag(version);
    if (file !== undefined) return fileResponse(file, operation, this.#request.header('if-none-match'), headers);
    return operation.success.status === 204
      ? emptyResponse(204, headers)
      : jsonResponse(operation.success.status, content, 'application/json', headers);
  }

  #encodeProblem(thrown: unknown): HttpResponse {
    const fault = faultOf(thrown, this.#mounted.operation);
    if (fault.ours) report(this.#settings.onFault, thrown, this.#requestId);
    const headers: Record<string, string> = { [this.#settings.requestIdHeader]: this.#requestId };
    if (fault.status === 401) headers['WWW-Authenticate'] = challengeOf(this.#mounted);
    if (fault.status === 503) headers['Retry-After'] = '1';
    return problemResponse(this.#request, fault.status, problemBody(fault, this.#requestId), headers);
  }
}

/** Step 4. */
function invoke(handler: AnyHandler, scheduling: Scheduling, identity: Identity, input: Input): Promise<Answer> {
  return handler(scheduling, { identity, ...input });
}

/** A problem under the type that the client takes (D36). */
export function problemResponse(
  request: HttpRequest,
  status: number,
  problem: unknown,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const mediaType = takesOnlyPlainJson(request.header('accept')) ? 'application/json' : 'application/problem+json';
  return jsonResponse(status, problem, mediaType, headers);
}

/** The host's hook must not be able to take the answer away. */
function report(onFault: PipelineSettings['onFault'], fault: unknown, requestId: string): void {
  try {
    onFault(fault, requestId);
  } catch {
    // Nobody is left to tell.
  }
}
