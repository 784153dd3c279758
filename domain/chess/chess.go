// Package chess is the board game under every variant: squares, men, untrusted
// setups, playable positions, move generation, and the FEN, UCI and SAN
// notations. It knows no variant, card or die; what differs between variants
// on the board is said by a [Law], which is data.
//
// A [Setup] is any arrangement, trusted or not. [Setup.Position] is the one
// door from there to a [Position], which can be played. A Position is a small
// comparable value without pointers: copying it is the way to keep the old one
// while [Position.Play] changes the new one.
package chess
