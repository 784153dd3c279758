-- +goose Up
CREATE TABLE stats_outcome (
	day     TEXT   NOT NULL, -- on which games ended, UTC: 2026-11-29
	variant TEXT   NOT NULL,
	outcome TEXT   NOT NULL, -- result and reason, a space between them; the result is * for games that were called off
	games   BIGINT NOT NULL,
	plies   BIGINT NOT NULL, -- moves on the board, of all of them
	millis  BIGINT NOT NULL, -- from the beginning of play to the end, of all of them
	PRIMARY KEY (day, variant, outcome)
);

-- The following are of games with a result.
CREATE TABLE stats_opening (
	variant TEXT   NOT NULL,
	opening TEXT   NOT NULL, -- what chance opened with
	result  TEXT   NOT NULL,
	games   BIGINT NOT NULL,
	PRIMARY KEY (variant, opening, result)
);

CREATE TABLE stats_dice (
	variant TEXT   NOT NULL,
	effect  TEXT   NOT NULL,
	fate    TEXT   NOT NULL, -- done or impossible
	rolls   BIGINT NOT NULL,
	PRIMARY KEY (variant, effect, fate)
);

CREATE TABLE stats_length (
	variant TEXT   NOT NULL,
	plies   BIGINT NOT NULL, -- so many moves and up to nine more
	games   BIGINT NOT NULL,
	PRIMARY KEY (variant, plies)
);
