/**
 * The HTTP services of Calends, free of any framework: authentication, the request pipeline, v1 and v2.
 *
 * @packageDocumentation
 */
export { callerFromClaims, type ClaimsMapper, type TokenClaims } from './authentication/claims.js';
export { jwtVerifier } from './authentication/jwt-verifier.js';
export type { JwtVerifierOptions, TokenVerifier } from './authentication/token-verifier.js';
export type { DoorOptions } from './doors/door.js';
export { type FetchDoorOptions, fetchHandler, type FetchHandler } from './doors/fetch-handler.js';
export { nodeDoor, type NodeDoor, type NodeDoorOptions, nodeHandler, type NodeHandler } from './doors/node-door.js';
export {
  type BodyRead,
  type HostCaller,
  type HttpRequest,
  type HttpResponse,
  type ParserRefusal,
  type RequestBody,
  wholeBody,
} from './message.js';
export { type SchedulingHttpOptions, schedulingHttpOptionNames } from './options.js';
export type { RequestIds } from './request/headers.js';
export { toProblem, type ProblemAnswer, type ProblemContext } from './response/to-problem.js';
export { type RouteMatch, schedulingHttp, type SchedulingHttp } from './scheduling-http.js';
