// Package game is the game itself: [State], [Command] and [Event], and the two
// functions that everything else stands on. [Decide] answers a command with events
// or refuses it; [Evolve] folds an event in. Both are pure: time, identity and
// chance arrive from outside.
//
// A variant is a value ([Variant]), one file each. [ViewFor] builds what one seat
// may know.
package game
