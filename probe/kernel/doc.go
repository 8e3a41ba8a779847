// Package kernel says what a kernel is: a row of a table and a recipe. A recipe makes a process' step in a scene, which
// has the memory, window, file and processes of a row of measurements. From the step follow the program that is timed,
// the calls around it, and the data that must have arrived. How a row is measured is no business of a kernel: what
// methods say of its programs is in Rules and Pace, what users choose of them in Today and OneSided. Lengths are in
// bytes, times in seconds.
package kernel
