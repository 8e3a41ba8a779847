package imb

import "strconv"

// count returns the number whose digits a regular expression has found; -1 if they are too many.
func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// when returns a text where something holds, else nothing.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
