import { type OpenApiDocument, openApiDocument } from '@calends/http-contract';

/** What the document depends on. */
export interface ServedDocumentParts {
  readonly publicUrl?: string | undefined;
  readonly otpRequests?: boolean | undefined;
  /** Absent = off. */
  readonly availability?: object | undefined;
}

/** The OpenAPI document of this server: of `/openapi.json`, of the reference page and of `calends openapi`. */
export function servedDocument(parts: ServedDocumentParts): OpenApiDocument {
  const { publicUrl, otpRequests = false, availability } = parts;
  const always = ['customerSessions', 'calendarFeeds', 'webhookEndpoints'] as const;
  const include = [
    ...always,
    ...(otpRequests ? ['oneTimePasswords' as const] : []),
    ...(availability === undefined ? [] : ['availability' as const]),
  ];
  return openApiDocument({ include, ...(publicUrl === undefined ? {} : { serverUrl: publicUrl }) });
}
