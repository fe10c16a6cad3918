import { readEnvironment } from '../configuration/environment.js';
import { openDatabase } from '../database/open-database.js';

/** `calends migrate`: brings the tables up to date and ends. */
export async function migrate(): Promise<void> {
  const database = openDatabase(readEnvironment(process.env).database);
  try {
    const names = await database.migrate();
    process.stdout.write(names.length === 0 ? 'The tables are up to date.\n' : `Migrated: ${names.join(', ')}.\n`);
  } finally {
    await database.close();
  }
}
