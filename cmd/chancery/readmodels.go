package main

import (
	"chancery/adapters/sqlstore"
	"chancery/events"
)

// readModels are what is kept in SQL, one a line.
func readModels(log events.Log) []sqlstore.Projection {
	return []sqlstore.Projection{
		sqlstore.Lobby(),
		sqlstore.History(log),
		sqlstore.Watch(log),
		sqlstore.Ratings(),
		sqlstore.Stats(log),
	}
}
