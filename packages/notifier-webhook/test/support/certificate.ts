/**
 * A certificate of the tests only, signed by itself, for `hook.test` and `127.0.0.1`, from 2020 to 2120.
 *
 * Checked in, since Node makes keys and no certificates.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBTzCB9qADAgECAgEBMAoGCCqGSM49BAMCMBgxFjAUBgNVBAMMDWNhbGVuZHMg
dGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBgxFjAUBgNV
BAMMDWNhbGVuZHMgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASaj6p8
Jp8al4i87AjwA77EpDCZEQ6878GQJROLEVjqR6i9rYasqZpfWyuDM7LiwntuihWH
CdN6j+uN2s50hJH4oy8wLTAaBgNVHREEEzARgglob29rLnRlc3SHBH8AAAEwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAyN/bc2nsMGf4K59pEg0Ie
uP0Gn4gf73qJPNr2iSg3uwIhALATC5Dt2ssrLkhuCrkp5V3xYHcerNdwtSv3wwDS
YmPo
-----END CERTIFICATE-----
`;

/** Its key; nothing outside of these tests trusts it. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcx7PeRXEig3AR9QE
7H4iIvgS79Qui+tRlx2YehzUY8ihRANCAASaj6p8Jp8al4i87AjwA77EpDCZEQ68
78GQJROLEVjqR6i9rYasqZpfWyuDM7LiwntuihWHCdN6j+uN2s50hJH4
-----END PRIVATE KEY-----
`;
