import { readEnvironment } from '../configuration/environment.js';
import { openDatabase, progressText } from '../database/open-database.js';

/** `calends migrate`: brings the tables up to date and ends. */
export async function migrate(): Promise<void> {
  const { database: address, createDatabase, pooler } = readEnvironment(process.env);
  const database = openDatabase(address, createDatabase, { pooler });
  try {
    const names = await database.migrate((progress) => void process.stdout.write(`${progressText(progress)}\n`));
    process.stdout.write(names.length === 0 ? 'The tables are up to date.\n' : `Migrated: ${names.join(', ')}.\n`);
  } finally {
    await database.close();
  }
}
