import { readEnvironment } from '../configuration/environment.js';
import { openDatabase, progressText } from '../database/open-database.js';
import { adviceOnSteps } from '../database/store-words.js';

/** `calends migrate`: brings the tables up to date and ends. */
export async function migrate(): Promise<void> {
  const { database: address, createDatabase, pooler } = readEnvironment(process.env);
  const database = openDatabase(address, createDatabase, { pooler });
  try {
    const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);
    const { applied, waiting } = await database.migrate((progress) => say(progressText(progress)));
    const advice = adviceOnSteps(waiting);
    if (applied.length > 0) say(`Migrated: ${applied.join(', ')}.`);
    else if (advice.length === 0) say('The tables are up to date.');
    for (const sentence of advice) say(`${sentence}.`);
  } finally {
    await database.close();
  }
}
