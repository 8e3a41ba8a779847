// Package report turns results into documents. Every function writes one document from one result and nothing else: no
// engine, no clock, no host is asked, so that any machine makes the same document of the same file.
//
// MB is 10^6 bytes in bandwidths and 2^20 bytes in memory and message lengths, as in HLRS release 3.6.
package report
