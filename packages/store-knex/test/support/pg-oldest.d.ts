// The version that the range of the peer begins with, under a name of its own; only handed to Knex.
declare module 'pg-oldest' {
  const pg: object;
  export default pg;
}
