-- +goose Up
CREATE TABLE watch_game (
	game     TEXT   NOT NULL PRIMARY KEY,
	position BIGINT NOT NULL, -- of the newest record
	n        BIGINT NOT NULL, -- number of the newest record
	at       TEXT   NOT NULL, -- when it was made: RFC 3339, UTC, milliseconds
	view     TEXT   NOT NULL  -- what a spectator sees now, JSON
);

CREATE TABLE watch_record (
	game    TEXT   NOT NULL,
	n       BIGINT NOT NULL,
	payload TEXT   NOT NULL, -- the exact bytes
	PRIMARY KEY (game, n)
);
