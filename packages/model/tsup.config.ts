import { packageBuild } from '../../tsup.shared.js';
import manifest from './package.json' with { type: 'json' };

export default packageBuild({ index: 'src/index.ts' }, { bundled: manifest.calends.bundled });
