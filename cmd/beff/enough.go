package main

import _ "github.com/effective-bandwidth/beff/cmd/beff/internal/enough" // where the program begins
