export { checkOptionNames } from '@calends/core/store';
