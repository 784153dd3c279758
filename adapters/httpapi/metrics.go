package httpapi

import "github.com/prometheus/client_golang/prometheus"

// metrics are what the API counts. Their labels have few values: a game is never one.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	streams  prometheus.Gauge
	cut      prometheus.Counter
}

func newMetrics(r *prometheus.Registry) metrics {
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "chancery_http_requests_total", Help: "Requests by method, route and status.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "chancery_http_request_seconds", Help: "Time to answer a request, streams left out.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "chancery_streams", Help: "Streams that are open.",
		}),
		cut: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "chancery_streams_cut_total", Help: "Streams that were cut because their reader was gone or too slow.",
		}),
	}
	r.MustRegister(m.requests, m.seconds, m.streams, m.cut)
	return m
}
