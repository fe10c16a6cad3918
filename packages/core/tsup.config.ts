import { packageBuild } from '../../tsup.shared.js';

export default packageBuild({
  index: 'src/index.ts',
  store: 'src/store.ts',
  notifier: 'src/notifier.ts',
  publisher: 'src/publisher.ts',
  operations: 'src/operations.ts',
  'inversify/index': 'src/inversify/index.ts',
});
