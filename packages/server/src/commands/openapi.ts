import { readEnvironment } from '../configuration/environment.js';
import { servedDocument } from '../http/served-document.js';

/** `calends openapi`: prints the document that the server of this environment serves. */
export function openapi(): void {
  process.stdout.write(`${JSON.stringify(servedDocument(readEnvironment(process.env)), undefined, 2)}\n`);
}
