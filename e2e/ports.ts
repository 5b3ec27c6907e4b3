// Tests that take PostgreSQL away give its port back for a while: each worker has ports of its own, so that no other one takes it.
const each = 20;
const first = 9600 + each * Number(process.env['VITEST_POOL_ID'] ?? 0);
process.env['RELIABILITY_PORTS'] ??= `${first}-${first + each - 1}`;
