-- +goose Up
CREATE TABLE ratings_table (
	game     TEXT NOT NULL PRIMARY KEY, -- rated and not over
	variant  TEXT NOT NULL,
	player_0 TEXT NOT NULL,
	player_1 TEXT NOT NULL -- empty until the seat is taken
);

CREATE TABLE ratings_game (
	game     TEXT   NOT NULL PRIMARY KEY, -- that counted
	position BIGINT NOT NULL, -- of the record that ended it
	ended    TEXT   NOT NULL, -- RFC 3339, UTC, milliseconds
	variant  TEXT   NOT NULL,
	player_0 TEXT   NOT NULL,
	player_1 TEXT   NOT NULL,
	score    BIGINT NOT NULL -- of player_0 in half points: 0, 1, 2
);
CREATE UNIQUE INDEX ratings_game_position ON ratings_game (position);

CREATE TABLE ratings_standing (
	player     TEXT   NOT NULL,
	pool       TEXT   NOT NULL, -- a variant; empty for all of them
	position   BIGINT NOT NULL, -- of the last game
	rating     BIGINT NOT NULL, -- in hundredths of a point
	games      BIGINT NOT NULL,
	won        BIGINT NOT NULL,
	drawn      BIGINT NOT NULL,
	lost       BIGINT NOT NULL,
	glicko     DOUBLE PRECISION NOT NULL, -- Glicko-2
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	PRIMARY KEY (player, pool)
);
CREATE INDEX ratings_standing_rank ON ratings_standing (pool, rating, player);

CREATE TABLE ratings_change (
	player     TEXT   NOT NULL,
	pool       TEXT   NOT NULL,
	position   BIGINT NOT NULL, -- of the game
	game       TEXT   NOT NULL,
	variant    TEXT   NOT NULL,
	ended      TEXT   NOT NULL,
	opponent   TEXT   NOT NULL,
	score      BIGINT NOT NULL, -- of the player in half points: 0, 1, 2
	before     BIGINT NOT NULL, -- rating before the game; the rest is after it
	rating     BIGINT NOT NULL,
	games      BIGINT NOT NULL,
	won        BIGINT NOT NULL,
	drawn      BIGINT NOT NULL,
	lost       BIGINT NOT NULL,
	glicko     DOUBLE PRECISION NOT NULL,
	deviation  DOUBLE PRECISION NOT NULL,
	volatility DOUBLE PRECISION NOT NULL,
	PRIMARY KEY (player, pool, position)
);
CREATE INDEX ratings_change_opponent ON ratings_change (player, pool, opponent, position);
CREATE INDEX ratings_change_position ON ratings_change (position);
