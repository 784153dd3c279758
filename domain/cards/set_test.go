package cards

import (
	"slices"
	"testing"
)

func TestSet(t *testing.T) {
	all := Full.All()
	if all.Len() != 108 || len(all.IDs()) != 108 || !slices.IsSorted(all.IDs()) {
		t.Errorf("a full deck has %d cards: %v", all.Len(), all.IDs())
	}
	without := all.Without(0).Without(63).Without(64).Without(107).Without(107)
	if without.Len() != 104 || slices.Contains(without.IDs(), 64) || all.Len() != 108 {
		t.Errorf("without four cards there are %d, and the set they were taken from has %d", without.Len(), all.Len())
	}
	if got := SetOf(70, 3, 70).IDs(); !slices.Equal(got, []ID{3, 70}) {
		t.Errorf("two cards are %v", got)
	}
	if got := SetOf(-1, 128, 1<<20).Without(-1).Without(200); got != (Set{}) {
		t.Errorf("IDs of no deck make %v", got.IDs())
	}
}
