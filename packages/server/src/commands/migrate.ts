import { readEnvironment } from '../configuration/environment.js';
import { openDatabase } from '../database/open-database.js';

/** `calends migrate`: brings the tables up to date and ends. */
export async function migrate(): Promise<void> {
  const database = await openDatabase(readEnvironment(process.env).database);
  try {
    const count = await database.migrate();
    process.stdout.write(count === 0 ? 'The tables are up to date.\n' : `Migrations done: ${count}.\n`);
  } finally {
    await database.close();
  }
}
