/** A `curl` command of a guide, read as the request that it makes. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Status in a trailing comment; absent = any success. */
  readonly status: number | undefined;
}

/**
 * Reads a shell block that is one `curl` command, with the variables that the reader has set by then.
 *
 * Knows what the guides use: `-sS`, `-X`, `-H`, `-d`, both kinds of quotes, `$NAME`, and lines that go on.
 */
export function readCurl(block: string, variables: Readonly<Record<string, string>>): CurlRequest {
  const [, status] = /# (\d{3})$/.exec(block.trim()) ?? [];
  const [command, ...words] = shellWords(block.replace(/ # \d{3}\s*$/, ''), variables);
  if (command !== 'curl') throw new Error(`This is no curl command: ${block}`);
  const headers: Record<string, string> = {};
  let [url, method, body]: [string?, string?, string?] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift();
    else if (word === '-d') body = words.shift();
    else if (word === '-H') {
      const [name = '', value = ''] = words.shift()?.split(/: */, 2) ?? [];
      headers[name] = value;
    } else if (!word.startsWith('-')) url = word;
  }
  return {
    url: url ?? '',
    method: method ?? 'GET',
    headers,
    body,
    status: status === undefined ? undefined : Number(status),
  };
}

/** `NAME=value` lines of a shell block, each value as the words of a shell are read. */
export function readAssignments(block: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(block.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, shellWords(value, {})[0] ?? '']),
  );
}

function shellWords(text: string, variables: Readonly<Record<string, string>>): string[] {
  const expanded = (part: string): string =>
    part.replaceAll(/\$(\w+)/g, (whole, name: string) => variables[name] ?? whole);
  const words = text.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"]+)/g,
      (_, single?: string, double?: string, bare?: string) =>
        single ?? expanded((double ?? bare ?? '').replaceAll(/\\(["\\$])/g, '$1')),
    ),
  );
}
