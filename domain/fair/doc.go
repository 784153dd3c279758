// Package fair is the fair/1 protocol: how every random event of a game is
// made, published and verified.
//
// The server and each seat publish the anchor of a hash chain before anything
// random happens, and every shuffle and roll mixes the newest opened link of
// each. A link cannot be chosen late, for its hash is already public; so an
// outcome is uniform if any one of the server and the two seats is honest.
// Hidden orders are keyed by a sealed [Seed] which is revealed when the game
// ends; dice are keyed by the server's chain and are verifiable at once.
//
// A [Part] is what one event says of chance, a [State] is what the ledger has
// said so far, a [Dealer] makes parts, and [State.Check] is the verifier.
// Everything here is a function of its arguments: entropy is always passed in.
package fair
