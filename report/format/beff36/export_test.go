package beff36

// Calls is for tests outside of the package.
var Calls = calls
