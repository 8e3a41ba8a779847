module github.com/effective-bandwidth/beff/packaging

go 1.26.0

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	github.com/cpuguy83/go-md2man/v2 v2.0.7
	github.com/goreleaser/nfpm/v2 v2.48.0
	github.com/stretchr/testify v1.12.1
)
