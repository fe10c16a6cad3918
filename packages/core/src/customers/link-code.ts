import { isWellFormedId } from '../appointments/well-formed-id.js';

/** What the code of a manage link says: whose it is, and the secret. */
export interface LinkCode {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly participantId: string;
  /** 22 characters of base64url. */
  readonly ticketId: string;
}

/** 128 characters of four bytes. */
const longestOrganization = 684;
const form = new RegExp(`^([\\w-]{22})([\\w-]{22})([\\w-]{22})(?:\\.([\\w-]{1,${String(longestOrganization)}}))?$`);
/** The organization of hosts that have one alone; it makes links short. */
const usualOrganization = 'default';

/** Writes a code, as short as it can be: it stands in text messages. */
export function writeLinkCode({ organizationId, appointmentId, participantId, ticketId }: LinkCode): string {
  const organization = organizationId === usualOrganization ? '' : `.${base64url(organizationId)}`;
  return `${ticketId}${shortened(appointmentId)}${shortened(participantId)}${organization}`;
}

/** Reads a code in its one spelling; `undefined` for every other text. */
export function readLinkCode(code: string): LinkCode | undefined {
  const match = form.exec(code);
  if (match === null) return undefined;
  const [, ticketId = '', appointment = '', participant = '', organization] = match;
  const read = {
    organizationId: organization === undefined ? usualOrganization : Buffer.from(organization, 'base64url').toString(),
    appointmentId: lengthened(appointment),
    participantId: lengthened(participant),
    ticketId,
  };
  const isWhole = isWellFormedId(read.appointmentId) && isWellFormedId(read.participantId);
  return isWhole && writeLinkCode(read) === code ? read : undefined;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** A UUID as its 16 bytes. */
function shortened(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function lengthened(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
