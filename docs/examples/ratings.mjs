// Ratings from an exported ledger: chancery export --all --format ndjson | node ratings.mjs
import { createInterface } from "node:readline";
const account = (id) => id && !id.startsWith("guest-"), games = new Map(), ended = new Set(), table = {};
for await (const line of createInterface({ input: process.stdin })) {
  const record = JSON.parse(line), g = games.get(record.game) ?? { players: [] };
  games.set(record.game, g);
  for (const { type, data } of record.events) {
    if (type === "GameCreated") Object.assign(g, { variant: data.variant, rated: data.rated, players: [data.seats[0].player] });
    if (type === "PlayerJoined") g.players[1] = data.player;
    if (type === "GameEnded") g.score = data.winner === undefined ? 0.5 : 1 - data.winner, ended.add(g);
    if (type === "GameVoided") ended.delete(g);
  }
}
for (const { variant, rated, players, score } of ended)
  for (const pool of rated && players.every(account) && players[1] ? ["overall", variant] : []) {
    const at = players.map((p) => (table[`${p} ${pool}`] ??= { rating: 1000, games: 0 })), was = at.map((a) => a.rating);
    [score, 1 - score].forEach((s, i) => at[i].rating += (at[i].games++ < 10 ? 40 : 24) * (s - 1 / (1 + 10 ** ((was[1 - i] - was[i]) / 400))));
    at.forEach((a) => a.rating = Math.round(a.rating * 100) / 100);
  }
for (const key of Object.keys(table).sort()) console.log(key, table[key].rating.toFixed(2), table[key].games);
