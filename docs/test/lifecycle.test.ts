import { describe, expect, it } from 'vitest';
import { appointmentStates, interactionStates } from '@calends/core/store';
import { canMove } from '../../packages/core/src/domain/appointments/interaction.js';
import { read } from './documents.js';

const guide = read('docs/guides/appointment-lifecycle.md');

/** Moves as `FROM TO`; the beginning is no state and stands for nothing. */
type Moves = readonly string[];

/** The moves that the arrows of a diagram show, their ends named in its attributes. */
function drawn(diagram: string): Moves {
  const arrows = read(`docs/guides/diagrams/${diagram}`).matchAll(/data-from="(?<from>[^"]*)" data-to="(?<to>\w+)"/g);
  return pairs(Array.from(arrows, ({ groups }) => [groups?.['from']?.split(' ') ?? [], [groups?.['to'] ?? '']]));
}

/** The moves that the table under a heading has: names in its `From` and `To` columns, given as their places. */
function written(heading: string, from: number, to: number): Moves {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const [table = ''] = section
    .trim()
    .split('\n\n')
    .filter((paragraph) => paragraph.startsWith('|'));
  const rows = table
    .split('\n')
    .map((row) => row.split('|').map((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name)));
  return pairs(rows.map((cells) => [cells[from + 1] ?? [], cells[to + 1] ?? []]));
}

function pairs(ends: readonly (readonly [readonly string[], readonly string[]])[]): Moves {
  const moves = ends.flatMap(([from, to]) => from.flatMap((one) => to.map((other) => `${one} ${other}`)));
  return [...new Set(moves)].filter((move) => !move.startsWith(' ')).sort();
}

describe('the guide of the life cycle', () => {
  it('the guide of the life cycle has the moves of an interaction that the code has, in its table and in its diagram', () => {
    const possible = interactionStates
      .flatMap((from) => interactionStates.filter((to) => canMove(from, to)).map((to) => `${from} ${to}`))
      .sort();
    expect(written('States of the interaction', 0, 1)).toEqual(possible);
    expect(drawn('interaction-states.svg')).toEqual(possible);
  });

  it('the guide of the life cycle draws the moves of an appointment that its table has', () => {
    expect(drawn('appointment-states.svg')).toEqual(written('States of an appointment', 0, 2));
  });

  it.each([
    ['appointment-states.svg', appointmentStates],
    ['interaction-states.svg', interactionStates],
  ] as const)('the guide of the life cycle draws every state in %s', (diagram, states) => {
    const boxes = Array.from(
      read(`docs/guides/diagrams/${diagram}`).matchAll(/data-state="(\w+)"/g),
      ([, name]) => name,
    );
    expect(boxes.sort()).toEqual([...states].sort());
  });
});
