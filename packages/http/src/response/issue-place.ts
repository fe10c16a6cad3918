import type { InputIssue } from '@calends/core';
import type { Operation, Problem } from '@calends/http-contract';

type WireIssue = NonNullable<Problem['errors']>[number];

/** Names of filters in commands, where they differ from those of the query parameters. */
const parameters: Readonly<Record<string, string>> = {
  agentIds: 'agentId',
  organizerIds: 'organizerId',
  durations: 'duration',
  ranges: 'range',
  states: 'state',
  starts: 'start',
  types: 'type',
  channels: 'channel',
  statuses: 'status',
};

const firstCustomer = /^\/customers(?:\/0)?(?=\/|$)/;
const updatedCustomerId = /^\/customer\/id$/;

/** Tells where in the request an issue of a command is: the core speaks of commands, clients of what they sent. */
export function placed({ pointer, code, detail }: InputIssue, operation: Operation | undefined): WireIssue {
  if (operation?.query !== undefined) return { parameter: parameterOf(pointer), code, detail };
  return { pointer: operation?.family === 'v1' ? pointerV1(pointer) : pointer, code, detail };
}

function parameterOf(pointer: string): string {
  const name = pointer.split('/', 2)[1] ?? '';
  return parameters[name] ?? name;
}

/** v1 has one `customer` where the core has a list, and `participantId` for its id in updates. */
function pointerV1(pointer: string): string {
  return pointer.replace(firstCustomer, '/customer').replace(updatedCustomerId, '/customer/participantId');
}
