import ts from 'typescript';
import { filesLike, read } from './documents.js';

/** A member of an interface, as the sources have it. */
export interface Member {
  readonly name: string;
  /** Its TSDoc up to the first empty line, on one line and as Markdown; empty = there is none. */
  readonly meaning: string;
  readonly optional: boolean;
}

/** What the sources declare under the name of an interface. */
export function membersOf(name: string): readonly Member[] {
  const found = declaration(name);
  return found.members.map((member) => ({
    name: (member.name as ts.Identifier).text,
    meaning: meaningOf(member),
    optional: member.questionToken !== undefined,
  }));
}

function declaration(name: string): ts.InterfaceDeclaration {
  for (const path of filesLike(/^packages\/[^/]+\/src\/.*(?<!\.test)\.ts$/)) {
    const text = read(path);
    if (!text.includes(`interface ${name} `)) continue;
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const found = statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
    if (found !== undefined) return found as ts.InterfaceDeclaration;
  }
  throw new Error(`There is no interface ${name}.`);
}

function meaningOf(member: ts.TypeElement): string {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
  const [first = ''] = text.split(/\n\s*\n/);
  return first.replaceAll(/\s+/g, ' ').replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
}
