import type { AccessDetails, Appointment, Caller, CallOptions, CustomerCredentials, Scheduling } from '@calends/core';
import type { operationById, OperationId } from '@calends/http-contract';
import { accessOf } from '../presenters/appointment.js';

type Catalogue = typeof operationById;

/** The decoded body of an operation; `undefined` where there is none. */
type BodyOf<O> = O extends { readonly body: { readonly _zod: { readonly output: infer Body } } }
  ? O extends { readonly bodyRequired: true }
    ? Body
    : Body | undefined
  : undefined;

type QueryOf<O> = O extends { readonly query: { readonly _zod: { readonly output: infer Query } } } ? Query : undefined;

/** Who calls, as far as the operation's authentication tells: nobody in particular where the public may ask (D28). */
interface Identities {
  readonly bearer: Caller;
  readonly 'bearer-unless-public': Caller | undefined;
  readonly 'bearer-or-visitor': Caller | undefined;
  readonly 'one-time-password': CustomerCredentials;
  readonly none: undefined;
}

/** Everything about a request that a handler may look at: checked, decoded, and nothing of HTTP. */
export interface Invocation<Identity, Body, Query> {
  readonly identity: Identity;
  /** The path's first parameter; empty where the path has none. */
  readonly id: string;
  /** The path's second parameter, the day of an exception; empty where the path has none. */
  readonly date: string;
  /** Where it comes from, as far as that is known: what visitors are told apart by. */
  readonly clientAddress: string | undefined;
  /** The token that `Calends-Hold` brings, where the operation takes one. */
  readonly holdToken: string | undefined;
  readonly body: Body;
  readonly query: Query;
  /** Request id, If-Match and Idempotency-Key, for the use case. */
  readonly call: CallOptions;
}

/** What a handler answers; encoded by the pipeline with the status that the operation declares. */
export interface Answer {
  /** Absent for 204. */
  readonly content?: unknown;
  /** In the place of `content`: its JSON. */
  readonly json?: string;
  /** Version of the record shown, for the ETag. */
  readonly version?: number;
  /** True where a client that has this version has all that is shown, so that 304 may be answered. */
  readonly isToldByVersion?: boolean;
  /** In the place of `content`: a JSON array that is written as its items come. */
  readonly items?: AsyncIterable<unknown>;
  /** In the place of `content`, for operations whose answer is no JSON. */
  readonly file?: { readonly body: AsyncIterable<string>; readonly etag: string };
}

/** One operation: request → command, use case, presenter. */
export type Handler<Id extends OperationId> = (
  scheduling: Scheduling,
  request: Invocation<Identities[Catalogue[Id]['authentication']], BodyOf<Catalogue[Id]>, QueryOf<Catalogue[Id]>>,
) => Promise<Answer>;

/** A handler for each operation of the catalogue: one that is missing does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** A handler as the pipeline calls it, after the operation's own schemas have decoded body and query. */
export type AnyHandler = (
  scheduling: Scheduling,
  request: Invocation<Caller | CustomerCredentials | undefined, unknown, unknown>,
) => Promise<Answer>;

/** Makes handlers that answer with the appointment that a use case is done with, as `present` shows it. */
export function showing(present: (appointment: Appointment, access?: AccessDetails) => unknown) {
  return <Identity, Body, Query>(
    act: (appointments: Scheduling['appointments'], request: Invocation<Identity, Body, Query>) => Promise<Appointment>,
  ) =>
    async (scheduling: Scheduling, request: Invocation<Identity, Body, Query>): Promise<Answer> => {
      const appointment = await act(scheduling.appointments, request);
      const access = await accessOf(scheduling, appointment);
      // Access details are derived for each answer, and can change while the appointment does not.
      return {
        content: present(appointment, access),
        version: appointment.version,
        isToldByVersion: appointment.state !== 'ACTIVATED',
      };
    };
}
