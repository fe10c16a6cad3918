import type { HttpResponse } from '../message.js';

/** The body of an answer as one string, empty where there is none; for callers who write to no client. */
export async function wholeBody({ body = '' }: HttpResponse): Promise<string> {
  if (typeof body === 'string') return body;
  const chunks: string[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.join('');
}
