// Package p2p has the kernels of IMB-P2P 2021.11: rows and the builders of their programs.
package p2p
