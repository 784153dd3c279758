package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chancery/domain/game"
)

// A Variant is a way to play, as a client needs to know it.
type Variant struct {
	Key     string   `json:"key"`
	Name    string   `json:"name"`
	Summary string   `json:"summary"`
	Rules   int      `json:"rules" doc:"Version of its rules"`
	Options []Option `json:"options"`
}

// An Option is one thing that a table may choose.
type Option struct {
	Name    string     `json:"name"`
	Summary string     `json:"summary"`
	Type    string     `json:"type" enum:"boolean,integer,string"`
	Default game.Value `json:"default"`
	Min     *int       `json:"min,omitempty" doc:"Of an integer"`
	Max     *int       `json:"max,omitempty" doc:"Of an integer"`
	Among   []int      `json:"among,omitempty" doc:"Of an integer: these alone"`
}

// Variants is what a game may be created with.
type Variants struct {
	Variants []Variant `json:"variants"`
	Bots     []Bot     `json:"bots" doc:"Programs that may be asked for as opponents"`
}

type variantsOutput struct {
	Cache string `header:"Cache-Control"`
	Body  Variants
}

func (a *API) registerVariants(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "variants", Method: http.MethodGet, Path: "/api/variants",
		Summary: "The variants with their options, and the bots",
	}, func(context.Context, *struct{}) (*variantsOutput, error) {
		return &variantsOutput{Cache: "no-cache", Body: a.variants()}, nil
	})
}

func (a *API) variants() Variants {
	all := Variants{Bots: append([]Bot{}, a.Bots...)}
	for _, v := range game.Variants() {
		described := Variant{Key: v.Key, Name: v.Name, Summary: v.Summary, Rules: v.Rules, Options: []Option{}}
		for _, o := range v.Options {
			described.Options = append(described.Options, optionOf(o))
		}
		all.Variants = append(all.Variants, described)
	}
	return all
}

func optionOf(o game.Option) Option {
	d := Option{Name: o.Name, Summary: o.Summary, Default: o.Default}
	switch {
	case o.Default == "true" || o.Default == "false":
		d.Type = "boolean"
	case strings.HasPrefix(string(o.Default), `"`):
		d.Type = "string"
	default:
		d.Type = "integer"
		d.Among = o.Among
		if len(o.Among) == 0 {
			d.Min, d.Max = &o.Min, &o.Max
		}
	}
	return d
}
