package resultfile

// Read returns the result in a document. Fast reads an element in the text that encoding/json writes. What it
// doesn't read is left to decode, which proves the shape.
func (f Form[R, S]) Read(data []byte, fast func(text []byte, into *S) bool,
	decode func([]byte) (*R, error)) (*R, error) {
	if head, list, ok := f.Split(data, fast); ok {
		if r, err := decode(head); err == nil {
			*f.list(r) = list
			return r, nil
		}
	}
	f.used.Get() // in place of which Recycle brings the decoder's list: else the pool would grow with each result
	return decode(data)
}
