// SQLite by hand: prepared statements, one durable transaction for each write.
import Database from 'libsql';
import { listFilters, newAppointment, newEvent, present } from './appointment.mjs';
import * as sql from './statements.mjs';

export function sqliteBaseline(filename) {
  const database = new Database(filename);
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  const prepared = Object.fromEntries(Object.entries(sql).map(([name, text]) => [name, database.prepare(text)]));
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  return {
    create(body) {
      const made = newAppointment(body);
      begin.run();
      prepared.insertAppointment.run(made.appointment);
      prepared.insertActors.run(made.actors.flat());
      prepared.insertCustomer.run(made.customer);
      prepared.insertEvent.run(made.event);
      commit.run();
      return made.answer;
    },
    get(id) {
      const row = prepared.selectOne.get(['org-1', id]);
      return row && present(row);
    },
    list(query) {
      const { agent, application, from, to, size } = listFilters(query);
      const filter = ['org-1', agent, application, from, to];
      const rows = prepared.selectPage.all([...filter, ...filter, size, 'org-1']);
      return { content: rows.filter((row) => row.id !== null).map(present), total: rows[0].total, pageSize: size };
    },
    cancel(id, reason) {
      begin.run();
      const { changes } = prepared.cancelOne.run([Date.now(), reason, 'org-1', id]);
      if (changes === 1) {
        prepared.cancelActors.run(['org-1', id]);
        prepared.insertEvent.run(newEvent(id, 2, 'APCancelledEvent', 'app-1', { reason }));
      }
      commit.run();
      return changes === 1;
    },
    close: () => database.close(),
  };
}
