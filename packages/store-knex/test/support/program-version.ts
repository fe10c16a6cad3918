/** Tells what belongs to no call: asked once in a second of writing, or once in 20 seconds (D76, D79). */
export const isOfProgramVersion = (sql: string): boolean =>
  /calends_(schema|processes|migrations)/.test(sql) ||
  sql.startsWith('select attempts from calends_events where delivered_at');
