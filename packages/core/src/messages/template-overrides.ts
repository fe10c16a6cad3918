/**
 * Texts that replace or add to the built-in ones: by BCP 47 tag, then by key (see `templateKeys`).
 *
 * Values are ICU messages.
 */
export type TemplateOverrides = Readonly<Record<string, Readonly<Record<string, string>>>>;
