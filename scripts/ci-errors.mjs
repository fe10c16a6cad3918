// A reporter of `.ci/run`: writes down what no test is charged with (errors thrown between tests, or by callbacks of
// servers), since the JSON report leaves it out. The file is that of CALENDS_CI_ERRORS.
import { writeFileSync } from 'node:fs';

export default class CiErrors {
  onTestRunEnd(_modules, errors) {
    const file = process.env['CALENDS_CI_ERRORS'];
    if (file === undefined) return;
    const texts = errors.map(({ name, message, stack, VITEST_TEST_PATH: path, VITEST_TEST_NAME: test }) => {
      const during = [path, test].filter((part) => part !== undefined).join(' > ');
      return `${during === '' ? 'no file is known' : `during ${during}`}\n${stack ?? `${name}: ${message}`}`;
    });
    writeFileSync(file, JSON.stringify(texts));
  }
}
