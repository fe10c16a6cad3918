import { describe, expect, it } from 'vitest';
import { engineOf } from './known-engines.js';

describe('An engine', () => {
  it.each([
    ['PostgreSQL 15.3 (Debian 15.3-0+deb12u1) on x86_64-pc-linux-gnu', 'PostgreSQL', '15.3', 'proven'],
    ['10.11.19-MariaDB-0+deb12u1 Debian 12', 'MariaDB', '10.11.19', 'proven'],
    ['SQLite 3.45.1', 'SQLite', '3.45.1', 'proven'],
    ['8.0.36 MySQL Community Server - GPL', 'MySQL', '8.0.36', 'unproven'],
    ['CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27)', 'CockroachDB', '23.1.11', 'refused'],
    ['PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu', 'YugabyteDB', '11.2', 'refused'],
    ['PostgreSQL 8.0.2 on i686-pc-linux-gnu, Redshift 1.0.48805', 'Redshift', '8.0.2', 'refused'],
    ['8.0.11-TiDB-v7.5.0 TiDB Server (Apache License 2.0)', 'TiDB', '8.0.11', 'refused'],
    ['8.0.30-Vitess Version: 19.0.0', 'Vitess', '8.0.30', 'refused'],
  ])('an engine that says %s is %s %s: %s (D72)', (words, name, version, standing) => {
    expect(engineOf(words)).toEqual({ name, version, standing });
  });
});
