-- +goose Up
CREATE TABLE history_game (
	game     TEXT    NOT NULL PRIMARY KEY,
	position BIGINT  NOT NULL, -- of the record that ended the game
	variant  TEXT    NOT NULL,
	options  TEXT    NOT NULL, -- JSON
	rated    BOOLEAN NOT NULL,
	clock    TEXT    NOT NULL, -- JSON; empty without one
	player_0 TEXT    NOT NULL, -- in seat 0; empty for guests and programs
	player_1 TEXT    NOT NULL,
	bot_0    TEXT    NOT NULL, -- the program in seat 0, or empty
	bot_1    TEXT    NOT NULL,
	white    BIGINT  NOT NULL, -- the seat that had the white army at the end; -1: armies were not given out
	result   TEXT    NOT NULL, -- 1-0, 0-1, 1/2-1/2; * without one
	reason   TEXT    NOT NULL,
	winner   BIGINT  NOT NULL, -- seat; -1: nobody
	voided   BOOLEAN NOT NULL, -- counts for nothing
	plies    BIGINT  NOT NULL, -- moves on the board
	records  BIGINT  NOT NULL, -- up to the end
	fen      TEXT    NOT NULL, -- the last position, or empty
	created  TEXT    NOT NULL, -- RFC 3339, UTC, milliseconds
	ended    TEXT    NOT NULL  -- likewise
);
CREATE UNIQUE INDEX history_game_position ON history_game (position);
CREATE INDEX history_game_player_0 ON history_game (player_0, position);
CREATE INDEX history_game_player_1 ON history_game (player_1, position);
CREATE INDEX history_game_variant ON history_game (variant, position);
CREATE INDEX history_game_reason ON history_game (reason, position);
CREATE INDEX history_game_ended ON history_game (ended);

CREATE TABLE history_option (
	game  TEXT NOT NULL,
	name  TEXT NOT NULL,
	value TEXT NOT NULL, -- JSON
	PRIMARY KEY (game, name)
);
