// What DuckDB reads from the exported files is what the ledger says. The files are made
// by `go run ./tests/analytics/write bin/analytics`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';

const dir = new URL('../../bin/analytics/', import.meta.url).pathname;
const lines = (name) => readFileSync(dir + name, 'utf8').trimEnd().split('\n').map((l) => JSON.parse(l));

let db;
const query = async (sql) => (await db.runAndReadAll(sql)).getRowObjectsJson();

// ledger is every event of the exact records, without its proof of chance.
const ledger = [];
const variants = {};

before(async () => {
  db = await (await DuckDBInstance.create()).connect();
  await db.run("SET TimeZone = 'America/Los_Angeles'"); // must not matter
  for (const t of ['events', 'games', 'turns']) {
    await db.run(`CREATE VIEW ${t} AS SELECT * FROM read_parquet('${dir}tables/${t}/**/*.parquet', hive_partitioning = true)`);
  }
  lines('records.ndjson').forEach((r, position) => {
    if (r.n === 0) variants[r.game] = { variant: r.events[0].data.variant ?? '_', month: r.at.slice(0, 7) };
    r.events.forEach((e, i) => ledger.push({ position: position + 1, game: r.game, n: r.n, i, at: r.at, type: e.type, v: e.v, data: e.data, ...variants[r.game] }));
  });
  assert.ok(ledger.length > 5000, 'the files are there');
});

test('every event of the ledger is a row, and nothing else is', async () => {
  const rows = await query(`SELECT position, game, n, i, type, version, data, variant, month,
    strftime(occurred_at AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') AS time FROM events ORDER BY position, i`);
  assert.equal(rows.length, ledger.length);
  rows.forEach((r, k) => {
    const e = ledger[k];
    assert.deepEqual(
      [Number(r.position), r.game, r.n, r.i, r.time, r.type, r.version, r.data, r.variant, r.month],
      [e.position, e.game, e.n, e.i, e.at, e.type, e.v, JSON.stringify(e.data), e.variant, e.month],
    );
  });
});

test('the columns say what the data says', async () => {
  for (const [column, path] of Object.entries({
    uci: 'uci', san: 'san', captured: 'captured', piece: 'piece', square: 'square', origin: 'from', purpose: 'purpose', effect: 'effect',
    result: 'result', reason: 'reason', fen: 'fen', card_count: 'count', winner: 'winner', seat: 'seat', white: 'white',
    clock_0_ms: 'clock_ms[0]', clock_1_ms: 'clock_ms[1]', impossible: 'impossible',
  })) {
    const [{ wrong, set }] = await query(`SELECT count(*) FILTER (CAST(${column} AS VARCHAR) IS DISTINCT FROM data ->> '$.${path}') AS wrong, count(${column}) AS set FROM events`);
    assert.equal(Number(wrong), 0, column);
    if (!column.startsWith('clock')) assert.ok(Number(set) > 0, `${column} is never there`);
  }
  const [faces] = await query("SELECT count(*) AS n FROM events WHERE type = 'DiceRolled' AND to_json(faces) <> data -> '$.faces'");
  assert.equal(Number(faces.n), 0);
});

test('every game that is over is a row', async () => {
  const want = new Map();
  for (const e of ledger) {
    const over = ['GameEnded', 'GameAborted', 'GameVoided'].includes(e.type);
    if (over && !want.has(e.game)) want.set(e.game, [e.data.result ?? '*', e.data.winner ?? null, e.data.reason, e.position, e.variant, false]);
    if (e.type === 'GameVoided') want.get(e.game)[5] = true;
  }
  const rows = await query('SELECT * FROM games');
  assert.equal(rows.length, want.size);
  for (const r of rows) {
    assert.deepEqual([r.result, r.winner, r.reason, Number(r.ended_position), r.variant, r.voided], want.get(r.game), r.game);
  }
  assert.ok(rows.some((r) => r.voided));
});

test('every move of a game that is over is in one turn', async () => {
  const rows = await query('SELECT game, flatten(list(moves ORDER BY turn)) AS moves FROM turns GROUP BY game');
  const want = {};
  for (const e of ledger) {
    if (e.type === 'MovePlayed') (want[e.game] ??= []).push(e.data.uci);
    if (e.type === 'PieceDropped' && e.data.from === 'reserve') (want[e.game] ??= []).push(`${e.data.piece.toUpperCase()}@${e.data.square}`);
  }
  let moves = 0;
  for (const r of rows) {
    assert.deepEqual(r.moves, want[r.game] ?? [], r.game);
    moves += r.moves.length;
  }
  assert.ok(moves > 1000);
});

test('days are days of UTC, whatever the zone of the session, and add up', async () => {
  const days = await query("SELECT strftime(occurred_at AT TIME ZONE 'UTC', '%Y-%m-%d') AS day, count(*) AS n FROM events GROUP BY ALL");
  const want = {};
  for (const e of ledger) want[e.at.slice(0, 10)] = (want[e.at.slice(0, 10)] ?? 0) + 1;
  assert.deepEqual(Object.fromEntries(days.map((d) => [d.day, Number(d.n)])), want);
  const months = await query('SELECT DISTINCT month FROM games ORDER BY month');
  assert.deepEqual(months.map((m) => m.month), ['2026-09', '2026-10']);
});

test('the data dictionary names every column as it is', async () => {
  const dictionary = JSON.parse(readFileSync(dir + 'tables/dictionary.json', 'utf8'));
  for (const t of ['events', 'games', 'turns']) {
    const want = dictionary.filter((c) => c.table === t).map((c) => `${c.column} ${c.type}`).sort();
    const have = (await query(`DESCRIBE ${t}`)).map((c) => `${c.column_name} ${c.column_type}`).sort();
    assert.deepEqual(have, want);
  }
});

test('the public events in JSON are the same', () => {
  const events = lines('events.ndjson');
  assert.equal(events.length, ledger.length);
  events.forEach((e, k) => {
    const w = ledger[k];
    assert.deepEqual(
      [e.id, e.type, e.time, e.variant, e.position, e.data],
      [`${w.game}/${w.n}/${w.i}`, `chancery.${w.type}.v${w.v}`, w.at, w.variant, String(w.position), w.data],
    );
  });
});
