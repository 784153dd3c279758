package fair

import "slices"

// MaxCard is the largest card id.
const MaxCard = 1<<16 - 1

// checkCards checks and absorbs what happens to piles and hands.
func (s *State) checkCards(p *Part) error {
	if p.Shuffle != nil {
		if err := s.checkShuffle(p.Shuffle); err != nil {
			return err
		}
		s.evolveShuffle(p.Shuffle)
	}
	if p.Draw != nil {
		if err := s.checkDraw(p.Draw); err != nil {
			return err
		}
		s.evolveDraw(p.Draw)
	}
	for i := range p.Open {
		if err := s.checkOpen(&p.Open[i]); err != nil {
			return err
		}
	}
	for i := range p.Play {
		if err := s.checkPlay(&p.Play[i]); err != nil {
			return err
		}
		s.evolvePlay(&p.Play[i])
	}
	if p.Hand != nil {
		if err := s.checkHand(p.Hand); err != nil {
			return err
		}
		s.evolveHand(p.Hand)
	}
	return nil
}

func (s *State) checkShuffle(sh *Shuffle) error {
	switch {
	case sh.S != len(s.Piles):
		return violated(StepShuffle, "s is %d, but there were %d shuffles", sh.S, len(s.Piles))
	case len(sh.In) == 0:
		return violated(StepShuffle, "of no cards")
	case len(sh.Leaves) != len(sh.In):
		return violated(StepShuffle, "%d leaves for %d cards", len(sh.Leaves), len(sh.In))
	case !validCard(sh.In[0]) || !validCard(sh.In[len(sh.In)-1]):
		return violated(StepShuffle, "card ids go from 0 to %d", MaxCard)
	}
	for i := 1; i < len(sh.In); i++ {
		if sh.In[i] <= sh.In[i-1] {
			return violated(StepShuffle, "cards do not ascend at index %d", i)
		}
	}
	return nil
}

func (s *State) checkDraw(d *Draw) error {
	switch {
	case d.S < 0 || d.S >= len(s.Piles):
		return violated(StepDraw, "there is no pile %d", d.S)
	case d.To != Public && !isSeat(d.To):
		return violated(StepDraw, "there is no seat %d", d.To)
	case len(d.I) == 0:
		return violated(StepDraw, "of no cards")
	case len(d.I) > s.Piles[d.S].Left():
		return violated(StepDraw, "%d cards of pile %d, which has %d left", len(d.I), d.S, s.Piles[d.S].Left())
	}
	for j, i := range d.I {
		if next := s.Piles[d.S].Cursor + j; i != next {
			return violated(StepDraw, "position %d of pile %d, but the next is %d", i, d.S, next)
		}
	}
	return nil
}

func (s *State) checkOpen(o *Open) error {
	switch {
	case o.S < 0 || o.S >= len(s.Piles):
		return violated(StepOpen, "there is no pile %d", o.S)
	case o.I < 0 || o.I >= s.Piles[o.S].Cursor:
		return violated(StepOpen, "position %d of pile %d is not drawn", o.I, o.S)
	case !validCard(o.Card) || leaf(s.Game, o.S, o.I, o.Card, o.Salt) != s.Piles[o.S].Leaves[o.I]:
		return violated(StepOpen, "card %d does not fit the leaf at position %d of pile %d", o.Card, o.I, o.S)
	}
	return nil
}

func (s *State) checkPlay(p *Play) error {
	if !isSeat(p.Seat) {
		return violated(StepPlay, "there is no seat %d", p.Seat)
	}
	h, ok := s.newestHand(p.Seat)
	switch {
	case !ok:
		return violated(StepPlay, "seat %d has no hand", p.Seat)
	case slices.Contains(s.Played[p.Seat][s.Hands[h].Played:], p.Card):
		return violated(StepPlay, "card %d of seat %d has left the hand before", p.Card, p.Seat)
	case !validCard(p.Card) || !slices.Contains(s.Hands[h].Leaves, envelope(s.Game, h, p.Card, p.Salt)):
		return violated(StepPlay, "card %d opens no envelope of hand %d, the newest of seat %d", p.Card, h, p.Seat)
	}
	return nil
}

func (s *State) checkHand(h *Hand) error {
	switch {
	case !isSeat(h.Seat):
		return violated(StepHand, "there is no seat %d", h.Seat)
	case h.H != len(s.Hands):
		return violated(StepHand, "h is %d, but there were %d hand commitments", h.H, len(s.Hands))
	}
	return nil
}

func validCard(id int) bool { return 0 <= id && id <= MaxCard }
