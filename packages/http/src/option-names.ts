export { checkOptionNames } from '@calends/core/operations';
