package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"chancery/adapters/jetstream"
	"chancery/adapters/table"
)

// measureHall adds what an operator watches of the games.
func measureHall(hall *table.Hall, to prometheus.Registerer) {
	gauge := func(name, help string, value func(table.Stats) int) {
		to.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "chancery_" + name, Help: help}, func() float64 { return float64(value(hall.Stats())) }))
	}
	gauge("tables", "Games in memory.", func(s table.Stats) int { return s.Tables })
	gauge("watches", "People who follow a game.", func(s table.Stats) int { return s.Watches })
	gauge("duties", "Games that the server will look after by itself.", func(s table.Stats) int { return s.Duties })
	gauge("lost_games", "Open games whose seal key is gone: void at their next command, unless it is put back.", func(s table.Stats) int { return s.Lost })
	to.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "chancery_seeds_opened_total", Help: "Sealed seeds that were opened, but for those of games that go on after a start.",
	}, func() float64 { return float64(hall.Stats().Opened) }))
}

// mostLost is how many lost games of a key are named.
const mostLost = 20

// sealsFinding says which games' keys are gone.
func sealsFinding(hall *table.Hall) jetstream.Finding {
	f := jetstream.Finding{Name: "seals", Health: well, Text: "the seal keys of all open games are there"}
	lost := hall.Lost()
	var texts []string
	for _, kid := range slices.Sorted(maps.Keys(lost)) {
		ids := lost[kid]
		names := strings.Join(ids[:min(len(ids), mostLost)], ", ")
		if len(ids) > mostLost {
			names += ", …"
		}
		texts = append(texts, fmt.Sprintf("seal-%s.key is gone: put it back, or its open games, %d, are void at their next command: %s", kid, len(ids), names))
	}
	if len(texts) > 0 {
		f.Health, f.Text = unwell, strings.Join(texts, "; ")
	}
	return f
}

// notices are what is said to whoever asks whether the server is ready.
func notices(hall *table.Hall, public *publicLedger) []string {
	list := []string{"public ledger: " + public.finding().Text}
	if f := sealsFinding(hall); f.Health != well {
		list = append(list, "seals: "+f.Text)
	}
	return list
}
