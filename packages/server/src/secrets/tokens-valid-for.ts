/** How long the tokens are valid that the server prints, and those of `calends token` without `--expires`, in milliseconds. */
export const tokensValidFor = 12 * 60 * 60_000;
