import type { Scheduling } from '@calends/core';
import {
  type Admission,
  type ConsistentCalls,
  type LimitedCall,
  type LimitedClass,
  limitedSource,
} from '@calends/core/operations';
import { quietly } from '@calends/core/store';
import type { HttpRequest, HttpResponse } from '../message.js';
import type { Answer } from '../operations/handler.js';
import type { MountedOperation } from '../operations/mount.js';
import type { CheckedOptions } from '../options.js';
import { BrokenCaller, Limited } from '../refusal.js';
import { entityTag, hasCurrent, takesOnlyPlainJson } from '../request/headers.js';
import { decodePathId } from '../request/matcher.js';
import { emptyResponse, fileResponse, flowingArray, jsonResponse } from '../response/encode.js';
import { faultOf, problemBody, problemHeaders } from '../response/problem.js';
import { auditRefusal } from './audit-refusal.js';
import { authenticate, type Identity, isVisitor } from './authenticate.js';
import { authorizeRole } from './authorize-role.js';
import { Deadline } from './deadline.js';
import { decode, type Input } from './decode.js';

/** What every exchange of one router shares. */
export interface PipelineSettings extends Omit<CheckedOptions, 'turnedOn' | 'requestIds' | 'onRoute'> {
  readonly scheduling: Scheduling;
}

/** One request on its way through the five steps (ARCHITECTURE.md: The way of a request). */
export class Exchange {
  readonly #settings: PipelineSettings;
  readonly #mounted: MountedOperation;
  readonly #request: HttpRequest;
  readonly #requestId: string;
  /** Give back what the limiter has given: at most two places. */
  readonly #releases: (() => void)[] = [];
  #source: string | undefined;
  readonly #consistent: ConsistentCalls | undefined;
  #replayed = false;

  constructor(settings: PipelineSettings, mounted: MountedOperation, request: HttpRequest, requestId: string) {
    this.#settings = settings;
    this.#mounted = mounted;
    this.#request = request;
    this.#requestId = requestId;
    const { acceptsConsistency } = mounted.operation;
    // Whatever is no token has the store itself answer.
    this.#consistent = settings.scheduling.consistent?.(
      acceptsConsistency ? request.header('calends-consistency') : undefined,
    );
  }

  /** Never rejects: whatever is thrown on the way becomes a problem. */
  async run(segments: readonly string[]): Promise<HttpResponse> {
    const deadline = new Deadline(this.#settings.requestTimeout);
    try {
      return await deadline.bound(this.#respond(segments, deadline));
    } catch (thrown) {
      return this.#encodeProblem(thrown);
    }
  }

  /** Ends, and gives its place at the limiter back, when everything of it has ended: the client may have its answer before. */
  async #respond(segments: readonly string[], deadline: Deadline): Promise<HttpResponse> {
    const { limiter } = this.#settings;
    const { clientAddress: told } = this.#request;
    try {
      const clientAddress = typeof told === 'function' ? await told() : told;
      this.#source = limitedSource(clientAddress);
      const limited = { class: limitedClassOf(this.#mounted, this.#request, this.#settings), source: this.#source };
      this.#requireAdmission(await limiter.beforeBody(limited), 'too many requests from one address');
      return await this.#answer(segments, { clientAddress, limitedClass: limited.class }, deadline);
    } catch (thrown) {
      // Nobody waits for it any more, and the time-out has been told.
      if (deadline.isOver) throw thrown;
      return this.#encodeProblem(thrown);
    } finally {
      for (const release of this.#releases) release();
    }
  }

  async #answer(
    segments: readonly string[],
    {
      clientAddress,
      limitedClass,
    }: { readonly clientAddress: string | undefined; readonly limitedClass: LimitedClass },
    deadline: Deadline,
  ): Promise<HttpResponse> {
    const { scheduling, bodyLimit, limiter, availabilityIsPublic } = this.#settings;
    const mounted = this.#mounted;
    const requestId = this.#requestId;
    const ids = mounted.pathLengths.map((maxLength, at) => decodePathId(segments[at] ?? '', maxLength));
    const [id] = ids;
    let identity: Identity;
    try {
      identity = await authenticate(mounted, this.#request, this.#settings);
      const { conferenceIsAppointment } = scheduling.access;
      authorizeRole(mounted, identity, { id, conferenceIsAppointment, availabilityIsPublic });
    } catch (thrown) {
      auditRefusal(scheduling, { mounted, id, identity, requestId, source: this.#source }, thrown);
      throw thrown;
    }
    const context = { ids, bodyLimit, requestId, clientAddress, source: this.#source, deadline };
    const request = mounted.operation.body === undefined ? this.#request : deadline.pausedByBody(this.#request);
    const input = await decode(mounted, request, context, () => (this.#replayed = true));
    const call = limitedCallOf(limitedClass, identity, input);
    if (call !== undefined) {
      this.#requireAdmission(
        await limiter.afterDecoding(call),
        'too many requests for one application',
        call.applicationId,
      );
    }
    const act = (): Promise<Answer> => mounted.handler(scheduling, { identity, ...input });
    return await this.#encode(await (this.#consistent === undefined ? act() : this.#consistent.run(act)));
  }

  #requireAdmission(admission: Admission, reason: string, applicationId?: string): void {
    if (admission.admitted) {
      if (admission.release !== undefined) this.#releases.push(admission.release);
      return;
    }
    const about = { applicationId, source: this.#source, requestId: this.#requestId };
    this.#settings.scheduling.audit.noticed({ kind: 'limited', reason, ...about });
    throw new Limited(admission.retryAfter);
  }

  /** Step 5. */
  #encode({ content, json, items, version, isToldByVersion, file }: Answer): HttpResponse | Promise<HttpResponse> {
    const { operation } = this.#mounted;
    const headers = this.#headers();
    if (this.#replayed) headers['Idempotency-Replayed'] = 'true';
    if (operation.answersETag && version !== undefined) headers['ETag'] = entityTag(version);
    const clientHas = operation.acceptsIfNoneMatch ? this.#request.header('if-none-match') : undefined;
    const { onFault } = this.#settings;
    const report = (fault: unknown): void => quietly(() => onFault(fault, this.#requestId));
    if (file !== undefined) return fileResponse(file, operation, clientHas, headers, report);
    if (hasCurrent(clientHas, isToldByVersion === true ? headers['ETag'] : undefined))
      return emptyResponse(304, headers);
    if (items !== undefined) return flowingArray(operation.success.status, items, headers, report);
    return operation.success.status === 204
      ? emptyResponse(204, headers)
      : jsonResponse(operation.success.status, json ?? JSON.stringify(content), 'application/json', headers);
  }

  /** Of every answer: a call that fails may have written something before. */
  #headers(): Record<string, string> {
    const headers: Record<string, string> = { [this.#settings.requestIdHeader]: this.#requestId };
    const token = this.#consistent?.token;
    if (token !== undefined) headers['Calends-Consistency'] = token;
    return headers;
  }

  #encodeProblem(thrown: unknown): HttpResponse {
    const fault = faultOf(thrown, this.#mounted.operation);
    const told = thrown instanceof BrokenCaller ? thrown.fault : thrown;
    if (fault.ours || told !== thrown) quietly(() => this.#settings.onFault(told, this.#requestId));
    const headers = { ...this.#headers(), ...problemHeaders(fault, this.#mounted.operation) };
    return problemResponse(this.#request, fault.status, problemBody(fault, this.#requestId), headers);
  }
}

/** A problem under the type that the client takes (D36). */
export function problemResponse(
  request: HttpRequest,
  status: number,
  problem: unknown,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const mediaType = takesOnlyPlainJson(request.header('accept')) ? 'application/json' : 'application/problem+json';
  return jsonResponse(status, JSON.stringify(problem), mediaType, headers);
}

/** The class of a request; what the host made public needs no token (D28), and visitors bring none. */
function limitedClassOf(
  { operation: { authentication, limiterClass } }: MountedOperation,
  request: HttpRequest,
  { countIsPublic, availabilityIsPublic }: PipelineSettings,
): LimitedClass {
  const isOpen =
    (countIsPublic && authentication === 'bearer-unless-public') ||
    (availabilityIsPublic && authentication === 'bearer-or-visitor' && isVisitor(request));
  return isOpen ? 'unauthenticated' : limiterClass;
}

/** What a decoded request is about, as far as limits look at it; `undefined` where it names no application. */
function limitedCallOf(
  limitedClass: LimitedClass,
  identity: Identity,
  { body, query }: Pick<Input, 'body' | 'query'>,
): LimitedCall | undefined {
  const applicationId = textOf(body, 'applicationId') ?? textOf(query, 'applicationId');
  if (applicationId === undefined) return undefined;
  const name = identity !== undefined && 'username' in identity ? identity.username : textOf(body, 'username');
  return { class: limitedClass, applicationId, name };
}

/** The schemas of different operations have little in common; these fields mean the same wherever they are. */
function textOf(decoded: unknown, field: string): string | undefined {
  if (typeof decoded !== 'object' || decoded === null) return undefined;
  const value = (decoded as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : undefined;
}
