package fair

import "slices"

// Dealer is the dealer of a game whose seed was revealed, with a server's chain as long
// as the one committed to.
func (s *State) Dealer(seed Seed) *Dealer { return newDealer(s.Game, seed, s.Len) }

// CheckReveal derives from the seed all that the server was bound to, and
// compares: the commitment, the server's chain, every pile and every hand. It returns nil
// or a [*Violation] of [StepReveal]. That the chains which it keeps for seats come from
// the seed is a rule of the game: who decides each command again finds it out.
func (d *Dealer) CheckReveal(s *State) error {
	if Commitment(s.Game, d.seed) != s.C {
		return violated(StepReveal, "the seed is not the one committed to")
	}
	// The newest opened link leads to the anchor, which was checked roll by
	// roll; so it stands for the whole chain below it.
	if d.server.Link(s.Rolls) != s.X {
		return violated(StepReveal, "the seed does not derive the server's chain")
	}
	orders := make([][]int, len(s.Piles))
	for i, p := range s.Piles {
		orders[i] = d.orderOf(i, p)
		if !slices.Equal(d.leaves(i, orders[i]), p.Leaves) {
			return violated(StepReveal, "pile %d is not in the order that the seed derives", i)
		}
	}
	for h := range s.Hands {
		if err := s.checkRevealedHand(d, orders, h); err != nil {
			return err
		}
	}
	return nil
}

// checkRevealedHand compares hand commitment h with the cards that its seat
// had drawn and not played by then.
func (s *State) checkRevealedHand(d *Dealer, orders [][]int, h int) error {
	hand := s.Hands[h]
	var held []int
	for _, p := range s.Drawn[hand.Seat][:hand.Drawn] {
		held = append(held, orders[p.S][p.I])
	}
	for _, card := range s.Played[hand.Seat][:hand.Played] {
		// A played card was in an earlier hand, which held what was drawn; so it is found.
		if i := slices.Index(held, card); i >= 0 {
			held = slices.Delete(held, i, i+1)
		}
	}
	if !slices.Equal(d.envelopes(h, held), hand.Leaves) {
		return violated(StepReveal, "hand %d of seat %d did not hold the cards it had drawn", h, hand.Seat)
	}
	return nil
}
