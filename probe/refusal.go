package probe

// refusal is the reason why a user's program can't run for a row.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }

func (r *refusal) Unwrap() error { return r.err }
