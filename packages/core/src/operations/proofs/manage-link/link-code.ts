import { defaultOrganization, isIdText, isWellFormedId } from '@calends/model';
import type { TicketHolder } from '../../../domain/customers/proofs.js';

/** 128 characters of four bytes, in base64url. */
export const maxCodeLength = 684;

const maxIdLength = 128;

/** An id of the host as a part of a code. */
export function codeText(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a part of a code; `undefined` for what none can be, which databases would not take. */
export function idInCode(text: string): string | undefined {
  const id = Buffer.from(text, 'base64url').toString();
  return isIdText(id, maxIdLength) ? id : undefined;
}

/** What the code of a manage link says: whose it is, and the secret. */
interface LinkCode extends TicketHolder {
  /** 22 characters of base64url. */
  readonly ticketId: string;
}

const form = new RegExp(`^([\\w-]{22})([\\w-]{22})([\\w-]{22})(?:\\.([\\w-]{1,${String(maxCodeLength)}}))?$`);

/** Writes a code, as short as it can be: it stands in text messages. */
export function writeLinkCode({ organizationId, appointmentId, participantId, ticketId }: LinkCode): string {
  // Hosts that have only one organization have short links.
  const organization = organizationId === defaultOrganization ? '' : `.${codeText(organizationId)}`;
  return `${ticketId}${shortened(appointmentId)}${shortened(participantId)}${organization}`;
}

/** Reads a code in its one spelling; `undefined` for every other string. */
export function readLinkCode(code: string): LinkCode | undefined {
  const match = form.exec(code);
  if (match === null) return undefined;
  const [, ticketId = '', appointment = '', participant = '', organization] = match;
  const organizationId = organization === undefined ? defaultOrganization : idInCode(organization);
  if (organizationId === undefined) return undefined;
  const read = {
    organizationId,
    appointmentId: lengthened(appointment),
    participantId: lengthened(participant),
    ticketId,
  };
  const isWhole = isWellFormedId(read.appointmentId) && isWellFormedId(read.participantId);
  return isWhole && writeLinkCode(read) === code ? read : undefined;
}

/** A UUID as its 16 bytes. */
function shortened(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function lengthened(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
