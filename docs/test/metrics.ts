import ts from 'typescript';
import { filesLike, read } from './documents.js';

/** A metric of the server, as its sources make it. */
export interface Metric {
  readonly name: string;
  readonly labels: readonly string[];
}

const makers = ['Counter', 'Gauge', 'Histogram'];

/** Every metric that the sources of the server make. */
export function metrics(): readonly Metric[] {
  return filesLike(/^packages\/server\/src\/.*(?<!\.test)\.ts$/).flatMap((path) =>
    metricsIn(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)),
  );
}

function metricsIn(node: ts.Node): readonly Metric[] {
  const within = node.getChildren().flatMap(metricsIn);
  if (!ts.isNewExpression(node) || !makers.includes(node.expression.getText())) return within;
  const [options] = node.arguments ?? [];
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return within;
  const [name = ''] = textsOf(options, 'name');
  return [{ name, labels: textsOf(options, 'labelNames') }, ...within];
}

/** The texts of a property of an object. */
function textsOf({ properties }: ts.ObjectLiteralExpression, name: string): readonly string[] {
  const found = properties.find((each) => ts.isPropertyAssignment(each) && each.name.getText() === name);
  return found === undefined ? [] : textsIn((found as ts.PropertyAssignment).initializer);
}

function textsIn(node: ts.Node): readonly string[] {
  return ts.isStringLiteral(node) ? [node.text] : node.getChildren().flatMap(textsIn);
}
