import { openKnex } from '../src/index.js';
import { breakingNetwork } from './support/breaking-network.js';
import { openDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { casesOfSilence, type DatabaseBehindNetwork, impatient } from './support/silence.js';

describeEach(
  'a network that falls silent and tells nobody (half-open)',
  (kind) => {
    casesOfSilence(kind.family === 'mysql' ? 'mysql' : 'postgres', async (): Promise<DatabaseBehindNetwork> => {
      const database = await openDatabase(kind);
      const network = await breakingNetwork(String(database.url));
      const knex = openKnex(network.url, impatient);
      return {
        network,
        knex,
        another: database.another,
        async close() {
          await network.close();
          await knex.destroy();
          await database.drop();
        },
      };
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);
