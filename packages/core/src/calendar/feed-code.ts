/** What the code of a calendar feed says: whose it is, and the secret. */
export interface FeedCode {
  readonly organizationId: string;
  readonly agentId: string;
  /** 22 characters of base64url. */
  readonly ticketId: string;
}

const form = /^([\w-]{22})\.([\w-]{1,200})\.([\w-]{1,200})$/;

/** Writes the code that stands in the address of a feed. */
export function writeFeedCode({ organizationId, agentId, ticketId }: FeedCode): string {
  return [ticketId, base64url(agentId), base64url(organizationId)].join('.');
}

/** Reads a code in its one spelling; `undefined` for every other text. */
export function readFeedCode(code: string): FeedCode | undefined {
  const match = form.exec(code);
  if (match === null) return undefined;
  const [, ticketId = '', agent = '', organization = ''] = match;
  const read = { ticketId, agentId: textOf(agent), organizationId: textOf(organization) };
  return writeFeedCode(read) === code ? read : undefined;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function textOf(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
