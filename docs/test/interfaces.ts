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

/** The texts that a type of the sources is a union of. */
export function textsOf(name: string): readonly string[] {
  return textsIn(union(name));
}

/** A kind of a union of objects that are told apart by their `type`. */
export interface Kind {
  readonly type: string;
  /** Names of what it holds besides. */
  readonly fields: readonly string[];
}

/** The kinds of such a union, as the sources have it. */
export function kindsOf(name: string): readonly Kind[] {
  const { type } = union(name);
  return (ts.isUnionTypeNode(type) ? type.types : [type]).flatMap((each) => {
    const fields = fieldsOf(each);
    return (fields.get('type') ?? []).map((kind) => ({
      type: kind,
      fields: [...fields.keys()].filter((field) => field !== 'type'),
    }));
  });
}

/** The fields of an object, with the texts that they may be. */
function fieldsOf(type: ts.TypeNode): ReadonlyMap<string, readonly string[]> {
  if (ts.isParenthesizedTypeNode(type)) return fieldsOf(type.type);
  if (ts.isIntersectionTypeNode(type)) return new Map(type.types.flatMap((each) => [...fieldsOf(each)]));
  if (ts.isTypeReferenceNode(type)) return new Map(membersOf(type.typeName.getText()).map(({ name }) => [name, []]));
  if (!ts.isTypeLiteralNode(type)) throw new Error(`${type.getText()} is no object.`);
  return new Map(type.members.map((member) => [(member.name as ts.Identifier).text, textsIn(member)]));
}

function textsIn(node: ts.Node): readonly string[] {
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) return [node.literal.text];
  return node.getChildren().flatMap(textsIn);
}

const union = (name: string): ts.TypeAliasDeclaration =>
  declared(
    `type ${name} =`,
    (each): each is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(each) && each.name.text === name,
  );

const declaration = (name: string): ts.InterfaceDeclaration =>
  declared(
    `interface ${name} `,
    (each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === name,
  );

/** The one statement of the sources, in a file with these words. */
function declared<Found extends ts.Statement>(
  words: string,
  isIt: (statement: ts.Statement) => statement is Found,
): Found {
  for (const path of filesLike(/^packages\/[^/]+\/src\/.*(?<!\.test)\.ts$/)) {
    const text = read(path);
    if (!text.includes(words)) continue;
    const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const found = statements.find(isIt);
    if (found !== undefined) return found;
  }
  throw new Error(`There is no ${words.trim()}`);
}

function meaningOf(member: ts.TypeElement): string {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
  const [first = ''] = text.split(/\n\s*\n/);
  return first.replaceAll(/\s+/g, ' ').replaceAll(/\{@link ([^}]+)\}/g, '`$1`');
}
