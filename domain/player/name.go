package player

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A NameError says what a name or a password lacks, in words for the person who chose it.
type NameError string

// Error is the sentence.
func (e NameError) Error() string { return string(e) }

// How long names and passwords are: letters of a name, bytes of a password.
const (
	minName     = 3
	maxName     = 20
	minPassword = 8
	maxPassword = 200
)

// reserved are names that would pass for somebody else.
var reserved = []string{
	"admin", "administrator", "anonymous", "arbiter", "bot", "chancery", "computer", "deleted", "erased", "everybody",
	"guest", "moderator", "nobody", "referee", "root", "server", "spectator", "system",
}

// CheckName refuses a name that others could not read, or mistake for another: it has 3
// to 20 letters a to z, digits, hyphens and underscores, and begins with a letter. So no
// name needs escaping in a file, none is as long as an id, and no two look alike because
// their letters are of different scripts. The error is a [NameError].
func CheckName(name string) error {
	plain := !strings.ContainsFunc(name, func(r rune) bool { return !isLetter(r) && !isDigit(r) && r != '-' && r != '_' })
	switch {
	case !plain || len(name) < minName || len(name) > maxName || !isLetter(rune(name[0])):
		return NameError(fmt.Sprintf("A name has %d to %d letters a to z, digits, - and _, and begins with a letter.", minName, maxName))
	case slices.Contains(reserved, Fold(name)) || strings.HasPrefix(Fold(name), guestPrefix):
		return NameError("This name could be mistaken for somebody else; choose another one.")
	}
	return nil
}

// Fold is a name as it is compared: case does not matter.
func Fold(name string) string { return strings.ToLower(name) }

// CheckPassword refuses what is too short to be safe or too long to be meant. Anything
// else is the person's own affair. The error is a [NameError].
func CheckPassword(password string) error {
	if utf8.RuneCountInString(password) < minPassword || len(password) > maxPassword || !utf8.ValidString(password) {
		return NameError(fmt.Sprintf("A password has %d letters at least, and %d bytes at most.", minPassword, maxPassword))
	}
	return nil
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
