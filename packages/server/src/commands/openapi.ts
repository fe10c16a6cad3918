import { openApiDocument } from '@calends/http-contract';
import { readEnvironment } from '../configuration/environment.js';

/** `calends openapi`: prints the OpenAPI document. */
export function openapi(): void {
  const { publicUrl } = readEnvironment(process.env);
  const document = openApiDocument(publicUrl === undefined ? {} : { serverUrl: publicUrl });
  process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}
