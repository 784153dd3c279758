-- +goose Up
CREATE TABLE lobby_game (
	game     TEXT    NOT NULL PRIMARY KEY,
	position BIGINT  NOT NULL, -- of the game's first record
	phase    TEXT    NOT NULL, -- open, live
	variant  TEXT    NOT NULL,
	options  TEXT    NOT NULL, -- JSON
	rated    BOOLEAN NOT NULL,
	color    TEXT    NOT NULL, -- that the creator asked for
	clock    TEXT    NOT NULL, -- JSON; empty without one
	start    TEXT    NOT NULL, -- FEN that was agreed on; mostly empty
	seats    TEXT    NOT NULL, -- JSON
	n        BIGINT  NOT NULL, -- number of the newest record
	created  TEXT    NOT NULL, -- RFC 3339, UTC, milliseconds
	at       TEXT    NOT NULL  -- of the newest record, likewise
);
CREATE INDEX lobby_game_position ON lobby_game (position);
