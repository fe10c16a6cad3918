import { type OpenApiDocument, openApiDocument } from '@calends/http-contract';

/** What the document depends on. */
export interface ServedDocumentParts {
  readonly publicUrl?: string | undefined;
  readonly otpRequests?: boolean | undefined;
}

/** The OpenAPI document of this server: of `/openapi.json`, of the reference page and of `calends openapi`. */
export function servedDocument({ publicUrl, otpRequests = false }: ServedDocumentParts): OpenApiDocument {
  const always = ['customerSessions', 'calendarFeeds', 'webhookEndpoints'] as const;
  const include = [...always, ...(otpRequests ? ['oneTimePasswords' as const] : [])];
  return openApiDocument({ include, ...(publicUrl === undefined ? {} : { serverUrl: publicUrl }) });
}
