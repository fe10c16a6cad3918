import { codeText, idInCode, longestCodeText } from '../customers/code-text.js';

/** What the code of a calendar feed says: whose it is, and the secret. */
export interface FeedCode {
  readonly organizationId: string;
  readonly agentId: string;
  /** 22 characters of base64url. */
  readonly ticketId: string;
}

const id = `[\\w-]{1,${String(longestCodeText)}}`;
const form = new RegExp(`^([\\w-]{22})\\.(${id})\\.(${id})$`);

/** Writes the code that stands in the address of a feed. */
export function writeFeedCode({ organizationId, agentId, ticketId }: FeedCode): string {
  return [ticketId, codeText(agentId), codeText(organizationId)].join('.');
}

/** Reads a code in its one spelling; `undefined` for every other text. */
export function readFeedCode(code: string): FeedCode | undefined {
  const match = form.exec(code);
  if (match === null) return undefined;
  const [, ticketId = '', agent = '', organization = ''] = match;
  const [agentId, organizationId] = [idInCode(agent), idInCode(organization)];
  if (agentId === undefined || organizationId === undefined) return undefined;
  const read = { ticketId, agentId, organizationId };
  return writeFeedCode(read) === code ? read : undefined;
}
