/** Some of the settings; `undefined` is as good as absent. */
export type Some<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };
