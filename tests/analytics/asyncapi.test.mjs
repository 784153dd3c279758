// The description of the feed is a valid AsyncAPI document, its schemas included.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Parser, fromFile } from '@asyncapi/parser';

const path = new URL('../../docs/asyncapi.json', import.meta.url).pathname;

test('docs/asyncapi.json is valid', async () => {
  const { document, diagnostics } = await fromFile(new Parser(), path).parse();
  const bad = diagnostics.filter((d) => d.severity <= 1 && d.code !== 'asyncapi-latest-version');
  assert.deepEqual(bad.map((d) => `${d.code} ${d.path.join('.')}: ${d.message}`), []);
  const written = JSON.parse(await readFile(path, 'utf8'));
  const names = Object.keys(written.components.messages);
  assert.ok(names.length > 40);
  const messages = document.channels().get('feed').messages();
  assert.deepEqual(messages.all().map((m) => m.id()).sort(), names.sort());
  const move = messages.get('MovePlayed.v1');
  assert.ok(move.payload().properties().uci, 'the schemas are found');
  assert.ok(move.headers().properties()['ce-id'], 'the headers are found');
});

test('a document that is wrong is not', async () => {
  const wrong = JSON.parse(await readFile(path, 'utf8'));
  delete wrong.channels.feed.address;
  wrong.operations.sendEvent.action = 'shout';
  const { document } = await new Parser().parse(JSON.stringify(wrong));
  assert.equal(document, undefined);
});
