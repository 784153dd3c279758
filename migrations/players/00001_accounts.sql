-- +goose Up
CREATE TABLE players_account (
	id       TEXT NOT NULL PRIMARY KEY, -- as in the ledger
	name     TEXT NOT NULL,
	folded   TEXT NOT NULL UNIQUE, -- the name in lower case
	password TEXT NOT NULL, -- argon2id
	created  TEXT NOT NULL -- RFC 3339, UTC, milliseconds
);

CREATE TABLE players_token (
	hash    TEXT NOT NULL PRIMARY KEY, -- SHA-256 of the token, hex
	player  TEXT NOT NULL, -- an account or a guest
	expires TEXT NOT NULL -- RFC 3339, UTC, milliseconds
);
CREATE INDEX players_token_player ON players_token (player);
CREATE INDEX players_token_expires ON players_token (expires);
