/** The value of `authorization` for a name and a password (RFC 7617, in UTF-8). */
export function basicCredentials(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
