// The queries of docs/analytics.md work on the exported files, and say something.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';

const dir = new URL('../../bin/analytics/', import.meta.url).pathname;
const text = readFileSync(new URL('../../docs/analytics.md', import.meta.url), 'utf8');

test('the queries of docs/analytics.md', async () => {
  const db = await (await DuckDBInstance.create()).connect();
  await db.run(`SET file_search_path = '${dir}'`);
  const blocks = [...text.matchAll(/```sql duckdb\n([^`]*)```/g)].map((m) => m[1]);
  assert.ok(blocks.length >= 6);
  for (const sql of blocks) {
    const rows = (await db.runAndReadAll(sql)).getRowObjectsJson();
    if (!sql.startsWith('CREATE')) assert.ok(rows.length > 0, `nothing comes of ${sql}`);
  }
  const [{ all, different }] = (await db.runAndReadAll('SELECT count(*) AS "all", count(DISTINCT id) AS different FROM outbox')).getRowObjectsJson();
  assert.equal(all, different);
  const [{ n }] = (await db.runAndReadAll('SELECT count(*) AS n FROM events')).getRowObjectsJson();
  assert.equal(all, n);
  const dice = (await db.runAndReadAll(blocks.find((b) => b.includes('chi_squared')))).getRowObjectsJson();
  assert.ok(Number(dice[0].throws) > 100 && Number(dice[0].chi_squared) > 0);
});
