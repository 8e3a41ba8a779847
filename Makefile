# Two commands set up everything: `make run` rates this machine, `make test` tests the program.
#
# MPI=openmpi | mpich | none | auto (default: the mpicc on the PATH, or none) chooses the MPI of the plug-in. MPICC and
# MPIRUN name any other MPI: make build MPICC=/opt/mpi/bin/mpicc

MPI   ?= auto
GO    ?= go
RANKS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN); [ $$n -lt 2 ] && n=2; echo $$n)

# The compiler wrapper and launcher of each choice.
wrapper_openmpi := mpicc.openmpi
wrapper_mpich   := mpicc.mpich
wrapper_auto    := mpicc
starter_openmpi := mpirun.openmpi
starter_mpich   := mpirun.mpich
starter_auto    := mpirun
MPICC  ?= $(shell command -v $(or $(wrapper_$(MPI)),none) 2>/dev/null)
MPIRUN ?= $(or $(starter_$(MPI)),mpirun)

# As root, for example in a container, Open MPI needs these variables.
ifeq ($(shell id -u),0)
export OMPI_ALLOW_RUN_AS_ROOT := 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM := 1
endif

# Objects contain no paths, so all clones and the archive share compiled packages.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))

# make mutants draws N mutants of each package with a seed; N=0 takes all of them.
PACKAGES ?= ./patterns ./beff ./beffio ./probe ./probe/kernel ./probe/suites ./probe/pairs \
	./probe/settings ./probe/measured ./probe/method ./report/compare ./report/ranking ./report/prove ./report/trend \
	./cmd/beff/internal/config
N        ?= 60
SEED     ?= 1
RUNS     ?= 10

# Tests are linked without debugging information, which saves a second of processor time for cmd/beff's. make lint vets
# them.
plain = -vet=off -ldflags=-w

# tool builds a program of the module tools/, which measures or tests beff, and runs it here.
tool = CGO_ENABLED=0 $(GO) build -C tools -o ../build/tools/ ./$(1) && build/tools/$(1)

.PHONY: axe causes example faults test-faults help build run test dist docs test-packages test-srun test-slurm test-glibc \
	test-abi test-debian13 test-aware test-elsewhere test-arm64 test-container bench coverage machines load disturbed splits \
	tables slowlink slowlink-load smpi onesided fuzz lint list lines mutants peers precise pictures deps deps-behind clean vet test-go test-idle test-tools test-embedded \
	test-openmpi test-openmpi-library test-openmpi-beff test-mpich test-mpich-library test-mpich-beff \
	test-openshmem test-race test-race-polling test-race-others test-chain bench-openmpi bench-mpich bench-abi settings

help: ## show this
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 14
	@echo 'MPI=openmpi|mpich|none chooses the MPI of build and run; RANKS=P their processes.'

build: ## build bin/beff, and next to it the plug-in for the MPI that is found
ifeq ($(MPICC)$(filter auto none,$(MPI)),)
	@echo "make: $(if $(wrapper_$(MPI)),$(wrapper_$(MPI)) is not installed: try make deps,unknown MPI=$(MPI): want openmpi, mpich, none or auto)" >&2; exit 1
endif
	CGO_ENABLED=0 $(GO) build -buildvcs=auto -o bin/beff ./cmd/beff
	$(if $(MPICC),BEFF_PLUGINS=bin bin/beff mpi add --mpicc $(MPICC),@echo "bin/beff has no plug-in of an MPI: it has the embedded engine alone")

run: build ## rate this machine: a full b_eff, written to results/
	@mkdir -p results
	$(if $(MPICC),$(MPIRUN) -n $(RANKS) bin/beff run,bin/beff run -n $(RANKS)) -o results/$$(uname -n)-$$(date +%Y%m%dT%H%M%S)

test: ## install Open MPI, MPICH, Chromium and PDF tools if they are missing, then run all tests
	@.ci/deps && .ci/deps chroot
	@mkdir -p bin build # later they would change this directory, and Go would run tests again that looked at it
	@chrt --idle 0 $(MAKE) --no-print-directory -j1 $(idle) & idle=$$!; \
	$(MAKE) --no-print-directory -j1 $(alone) LEFT_OUT=TestConformance/P=4 && \
	BEFF_TEST_TOOLS=1 ABI_RANKS=2 $(MAKE) --no-print-directory -j7 $(rest) LEFT_OUT=TestConformance/P=3; \
	rc=$$?; wait $$idle && exit $$rc
	@echo "all tests passed"

# Processes of Open MPI wait for each other at each step, and poll. In parallel with other work, and with yields or
# sleep, they take much longer, so they run alone. The idle targets, which have no time limits, get the processors
# only when these tests leave them, a third of the time. Of the idle targets vet is last, because it uses all
# processors if it remains at the end. Ranks that are goroutines on all processors poll, too: under the race detector
# mpi/local took 48 s by itself, and 268 s in parallel with others. Processes of MPICH sleep in tests
# (conformance.Environ), and run in parallel with all others. Without ABI_RANKS test-abi runs on 1 to 4 ranks, which
# takes 6 minutes. The conformance suite has 1, 2 and 3 processes of Open MPI, and 1, 2 and 4 of MPICH: both have the
# same C, and with 4 processes of Open MPI on two processors the suite took 42 s.
alone = test-openmpi test-openshmem test-race-polling
idle  = test-idle docs test-tools vet
rest  = test-packages test-abi test-chain test-debian13 test-mpich test-go test-race-others

# Tests that wait most of their time, and use bin/ in turn.
test-chain:
	@for t in test-srun test-faults; do $(MAKE) --no-print-directory $$t || exit 1; done

# Tests of benchmarks in which ranks are goroutines, on few processes: test-embedded has more. The race detector would
# only slow down the other tests. Packages in which no ranks wait for each other are compiled without optimization.
race = GOGC=400 CGO_ENABLED=1 $(GO) test $(plain) -race -short -timeout 30m $(foreach d,report cmd,-gcflags='./$(d)/...=-N -l')
many = Local$$|LocalA|TestResume|Embedded|Stop|Pairs|SeriesOf|TestMeasure$$

# Ranks that are goroutines wait for each other at each step, and poll. If other tests use the second processor, a run
# on two takes three to five times the processor time of a run on one. test-race uses all processors for mpi/local, in
# which they do that, and for beff, which took 471 s on one, and 24 s on two at a similar load. Other packages that use
# mpi/local run on one processor there, too, because the race detector finds unordered accesses whenever they happen.
# GOGC=400 saved 18 % of the processor time of report's tests, and 11 % of beffio's.
plainly = GOMAXPROCS=1 GOGC=400 CGO_ENABLED=0 $(GO) test -p $(RANKS) -parallel 3 $(plain) -timeout 30m

test-go: ## the tests that need no MPI
	$(plainly) ./...

# The tests of packages whose tests use no clock. test-go, which begins after the tests that run alone, finds their
# results in Go's cache.
test-idle:
	$(plainly) ./report ./report/accept ./report/document ./report/format/tools ./report/of... ./probe/... ./rating/... \
		./stats ./patterns ./sim/... ./beff

test-race: test-race-polling test-race-others ## the tests with goroutines, with the race detector
test-race-polling:
	$(race) ./mpi/local $(addprefix ./cmd/beff/internal/,flow process publish scratch terminal watch)
	$(race) -run '$(many)' ./beff
test-race-others:
	$(race) -run ReadAll ./report
	GOMAXPROCS=1 $(race) -run 'Ranks|Groups|OneSided' ./mpi/sim
	GOMAXPROCS=1 $(race) -run '$(many)' ./beffio ./probe
	GOMAXPROCS=1 $(race) -run 'TestScripts/(local|iosignal|output)$$' ./cmd/beff

test-tools: ## the tests of the programs that measure and test beff (tools/)
	cd tools && CGO_ENABLED=0 $(GO) test $(plain) ./...

test-embedded: ## every kernel on the embedded engine, with 1 to 9 ranks under -race and with 64; takes some minutes
	BEFF_TEST_PROCESSES=1,2,3,4,5,8 CGO_ENABLED=1 $(GO) test -race -timeout 60m ./mpi/local
	BEFF_TEST_PROCESSES=1,2,3,4,5,6,7,8,9 CGO_ENABLED=1 $(GO) test -race -timeout 60m -run TestEmbedded ./probe
	BEFF_TEST_PROCESSES=64 CGO_ENABLED=0 $(GO) test -timeout 60m -run TestEmbedded ./probe

# The tests and benchmarks that need an MPI run with its plug-in, under its mpirun.
under_mpi = CGO_ENABLED=0 MPICC=mpicc.$(1) MPIRUN="mpirun.$(1) $(2)" $(GO) test $(plain)
there     = @command -v mpicc.$(1) >/dev/null && command -v mpirun.$(1) >/dev/null || { echo "make: $(1) is missing: not tested" >&2; exit 1; }

test-openmpi: test-openmpi-library test-openmpi-beff ## the tests that need Open MPI: conformance with 1 to 4 processes, and beff itself
test-openmpi-library:
	$(call there,openmpi)
	$(call under_mpi,openmpi,--oversubscribe) -timeout 30m -skip '$(LEFT_OUT)' ./mpi/libmpi/...
test-openmpi-beff:
	$(call there,openmpi)
	$(call under_mpi,openmpi,--oversubscribe) -timeout 30m -run UnderMPI ./cmd/beff

test-mpich: test-mpich-library test-mpich-beff ## the same with MPICH
test-mpich-library:
	$(call there,mpich)
	$(call under_mpi,mpich) -timeout 30m -skip '$(LEFT_OUT)' ./mpi/libmpi/...
test-mpich-beff:
	$(call there,mpich)
	$(call under_mpi,mpich) -timeout 30m -run UnderMPI ./cmd/beff

test-openshmem: ## the tests that need Open MPI's OpenSHMEM
	@command -v oshcc >/dev/null && command -v oshrun >/dev/null || { echo "make: oshcc is missing: not tested" >&2; exit 1; }
	CGO_ENABLED=0 OSHCC=oshcc OSHRUN="oshrun --oversubscribe" $(GO) test $(plain) -timeout 20m ./mpi/libshmem
	CGO_ENABLED=0 OSHCC=oshcc OSHRUN="oshrun --oversubscribe" $(GO) test $(plain) -timeout 20m -run UnderOpenSHMEM ./cmd/beff

dist: ## make archives, packages, lists of modules and checksums in dist/; needs no network once Go's cache is filled
	cd packaging && CGO_ENABLED=0 $(GO) run . -root .. -out ../dist

test-packages: ## install, use and remove the packages, and try JUBE, modules and completions
	cd packaging && CGO_ENABLED=0 $(GO) vet . && CGO_ENABLED=0 $(GO) test $(plain) -timeout 20m .

test-srun: ## the quick part of make test-slurm: jobs that start under a Slurm of two nodes on this machine (root)
	@if [ $$(id -u) -ne 0 ] || ! unshare --mount --uts true; then \
		echo "make: no right to make hosts of their own: Slurm isn't tested" >&2; \
	else .ci/deps slurm && cd tools && BEFF_SLURM=start CGO_ENABLED=0 $(GO) test -count 1 ./slurm; fi

test-slurm: ## jobs under a Slurm of two nodes on this machine: srun, sbatch, scancel, requeue, the time limit (root)
	@.ci/deps slurm
	cd tools && BEFF_SLURM=all CGO_ENABLED=0 $(GO) test -count 1 -timeout 60m -v ./slurm

# in_root runs a script that makes a root of another Debian. The exit code 75 means that Debian can't be reached; any
# other one is a failure.
in_root = @if [ $$(id -u) -ne 0 ] || ! unshare --mount --pid --fork true; then \
	echo "make: no right to make a root: $(2)" >&2; \
	else .ci/deps chroot && $(1) || { [ $$? -eq 75 ] && echo "make: Debian can't be reached: $(2)" >&2; }; fi

test-abi: ## the archive's plug-ins over MPICH 5 and Open MPI 6, in a root of Debian's newest packages (root)
	$(call in_root,packaging/newest,the plug-ins aren't tested over MPI 5)

test-debian13: ## build, conformance and quick ratings over Open MPI 5 and MPICH 4.2, in a chroot of Debian 13; test-aware (root)
	$(call in_root,packaging/elsewhere trixie quick,nothing is tested on Debian 13)

test-aware: ## messages in the memory of a stand-in for a GPU, by MPIs that take it, in the chroot of test-debian13 (root)
	$(call in_root,packaging/elsewhere trixie aware,no MPI is tested that takes the memory of GPUs)

test-elsewhere: ## make run and make test in chroots of Debian 12 and 13 (root); takes an hour
	@.ci/deps chroot
	@for release in bookworm trixie; do packaging/elsewhere $$release all || exit 1; done

test-glibc: ## the archive on Debian 11 (glibc 2.31), with its MPIs, in a chroot that debootstrap makes (root)
	@.ci/deps chroot
	@packaging/elsewhere bullseye archive

test-arm64: ## the archive on Debian 12 for arm64, emulated by QEMU, with its MPIs, in a chroot (root)
	@.ci/deps arm64
	@packaging/elsewhere bookworm archive arm64

test-container: ## build the container's image with buildah, and measure in it (root)
	@.ci/deps container
	@packaging/contained

axe: build ## make a web site of a few results, and use it in headless Chromium, with the rules of axe-core (npm)
	@rm -rf build/axe && mkdir -p build/axe/results
	@for s in Hawk Vulcan; do for i in 1 2; do bin/beff run --engine local -n 2 --quick --memory 1MiB --seed $$i \
		--system $$s -o build/axe/results/$$s$$i >/dev/null 2>&1; done; done
	@for s in fat-tree-100g fat-tree-400g; do bin/beff model run $$s -n 16 -o build/axe/results/$$s >/dev/null; done
	bin/beff site build/axe/results -o build/axe/public
	@npm install --prefix build/axe --no-audit --no-fund --ignore-scripts puppeteer-core@24 axe-core@4 >/dev/null
	@cp report/site/testdata/check.mjs build/axe/
	node build/axe/check.mjs "$$(command -v chromium chromium-browser google-chrome | head -1)" build/axe/public

docs: ## make pictures of models, and the documentation's site in build/site; every link must lead somewhere
	packaging/site

pictures: build ## measure the pictures of docs/ again; only on a quiet machine
	@mkdir -p build/pictures && cp bin/beff $(wildcard bin/*.so) build/pictures
	packaging/pictures measured $(MPIRUN) -n 2

# docs/example has two processes of this machine by each MPI, and two network namespaces as nodes, without this directory.
example: ## make docs/example again: b_eff by each MPI and over two namespaces, and reports; only on a quiet machine (root)
	@rm -rf build/example && mkdir -p build/example
	@for mpi in mpich openmpi; do $(MAKE) --no-print-directory build MPI=$$mpi >/dev/null || exit 1; done
	@cd build/example && export PATH="$(CURDIR)/bin:$$PATH" && \
		rate='beff run --seed 7 --system "a virtual machine"' && \
		eval mpirun.openmpi --bind-to core -n 2 $$rate --within 8% --at-most 5m -o openmpi >screen.txt && \
		eval mpirun.mpich -bind-to core -n 2 $$rate -o mpich >/dev/null && \
		../../tools/nodes/run openmpi 2 2 beff run --seed 7 --system "two nodes" -o two-nodes >/dev/null
	@cd build/example && for f in *.json; do sed 's|$(CURDIR)/||; /^  "digest"/d' $$f >bare && \
		digest=$$(sha256sum bare | cut -c 1-64) && \
		sed "s/^  \"schema_version\": 1,/&\n  \"digest\": \"$$digest\",/" bare >$$f; done; rm bare
	@gzip -9 -n build/example/*.json && cp build/example/*.json.gz build/example/screen.txt docs/example
	bin/beff report docs/example/openmpi.json.gz -o docs/example/ --format html,pdf --force
	bin/beff report docs/example/two-nodes.json.gz -o docs/example/ --format html --force
	bin/beff compare docs/example/openmpi.json.gz docs/example/mpich.json.gz -o docs/example/ --format html --force
	bin/beff report docs/example/openmpi.json.gz --format plots -o build/example/plots/
	cp build/example/plots/openmpi-report-beff-bandwidth.png docs/example/bandwidth.png

peers: build ## compare beff imb with IMB: IMB=DIR of its binaries for the same MPI; PEERS='-runs 3'; only on a quiet machine
	@$(call tool,peers) -imb "$(IMB)" -beff bin/beff -launch "$(MPIRUN) -n 2" -name "$(MPI)" $(PEERS)

precise: build ## compare the time to precision of a round trip with ReproMPI: PEER=its mpibenchPredNreps; only on a quiet machine
	@$(call tool,precise) -peer "$(PEER)" -beff bin/beff -launch "$(MPIRUN) -n 2" $(PRECISE)

bench: ## print the figures of docs/studies/costs.md: overhead of programs, embedded engine compared with MPI and memory, set-up of patterns
	$(GO) test -run '^$$' -bench . ./patterns ./mpi/local
	@$(MAKE) --no-print-directory bench-openmpi bench-mpich

bench-openmpi:
	$(call under_mpi,openmpi,--bind-to core) -run '^$$' -bench . -benchtime 1x ./mpi/libmpi ./cmd/beff

bench-mpich:
	$(call under_mpi,mpich,-bind-to core) -run '^$$' -bench . -benchtime 1x ./mpi/libmpi

bench-abi: ## compare the plug-in of the standard ABI with one made for the library itself, and with a loop in C (root)
	@packaging/newest bench

tables: ## print the tables of docs/studies/probes.md again; takes ten minutes
	CGO_ENABLED=0 $(GO) test -run '^$$' -bench Standouts -benchtime 1x -timeout 2h ./stats

smpi: ## compare the model of simulated machines with SimGrid's SMPI, as docs/studies/simulation.md has it; needs libsimgrid-dev
	$(call tool,smpi)

slowlink: ## slow a link between network namespaces of this machine, and check that beff names it (root, tc, Open MPI)
	@$(MAKE) --no-print-directory build MPI=openmpi
	@for slow in none 'link 2 5' 'direction 5 2' 'node 3' 'cut 2 9' 'load shared' 'load apart' 'loss 1'; do tools/slowlink/run $$slow || exit 1; done

with_all_mpis = CGO_ENABLED=0 $(GO) build -buildvcs=auto -o bin/beff ./cmd/beff; for mpicc in mpicc.openmpi mpicc.mpich; do \
	command -v $$mpicc >/dev/null && BEFF_PLUGINS=bin bin/beff mpi add --mpicc $$mpicc || true; done

test-faults: ## the faults that matter most, in two minutes
	@$(with_all_mpis)
	$(call tool,faults) -quick

faults: ## make faults in runs as they happen to machines, and print docs/studies/data/faults.csv (Linux, root for some)
	@$(with_all_mpis)
	$(call tool,faults) $(FAULTS)
	CGO_ENABLED=0 $(GO) test -count 1 -timeout 24h -v -run TestHostile ./report -hostile 1000000 -during 23h

causes: ## plant causes of slow results, and print as CSV how often beff names them (root, iptables, a quiet machine)
	@$(with_all_mpis)
	$(call tool,causes) $(CAUSES)

onesided: ## compare puts and gets with the OSU benchmarks 7.4 that are built in OSU=DIR, for MPI=openmpi or mpich
	@test -n "$(OSU)" || { echo "make: onesided needs OSU=DIR, the directory of osu_put_latency" >&2; exit 1; }
	@$(MAKE) --no-print-directory build >/dev/null
	@tools/onesided/run $(OSU) $(MPIRUN) -n 2 -- bin/beff

coverage: ## print docs/studies/data/coverage.csv as a table: how often the intervals of 10,000 simulated rows cover the truth
	CGO_ENABLED=0 $(GO) test ./probe/settings -run TestCoverage -count 1 -timeout 60m -v -coverage 10000

machines: ## print the tables of docs/studies/statistics.md: how often intervals of 300 simulated machines hold the truth
	CGO_ENABLED=0 $(GO) test ./beffio -run TestCoverage -count 1 -timeout 60m -v -machines 1000
	@for n in 1 2 3 6; do CGO_ENABLED=0 $(GO) test ./beff -run TestCoverage -count 1 -timeout 60m -v -machines 300 \
		-passes $$n; done
	CGO_ENABLED=0 $(GO) test ./beff -run TestCoverage -count 1 -timeout 60m -v -machines 300 -passes 14 -within 0.02
	CGO_ENABLED=0 $(GO) test ./beff -run TestMeanOfPasses -count 1 -timeout 60m -v -machines 100

slowlink-load: ## measure victims of congestors over a slow link 10 times, and without it 100 times (root, tc, Open MPI)
	@$(MAKE) --no-print-directory build MPI=openmpi
	tools/slowlink/run load shared 10
	tools/slowlink/run load apart 100

load: ## print the line of docs/studies/load.md: how often factors' intervals of 1,000 simulated machines hold the truth
	CGO_ENABLED=0 $(GO) test ./probe -run TestFactorsHold -count 1 -timeout 60m -v -machines 1000

disturbed: build ## rate this machine RUNS=10 times undisturbed and as often disturbed, by MPI and embedded; CORE=0 puts all on one core
	@tools/disturbed/run bin/beff $(RUNS) $(MPIRUN) -n 2
	@tools/disturbed/run bin/beff $(RUNS)

settings: ## RUNS campaigns of beff ab and of guidelines over libraries slowed by a known factor: docs/studies/settings.md
	@$(with_all_mpis)
	@for mpi in openmpi mpich; do for what in same delay guideline kept; do \
		tools/settings/run bin/beff $$what $(RUNS) mpicc.$$mpi mpirun.$$mpi -n 2 || exit 1; done; done

splits: ## compare RUNS="A.json B.json ..." of one engine among themselves: how often differences are significant
	@$(call tool,splits) $(RUNS)

FUZZ ?= 30s
fuzz: ## Go's fuzzing of each target for FUZZ=30s; make test tries 3,000 mutants of first seeds
	@for d in $$(grep -rl '^func Fuzz' --include='*_test.go' . | xargs -n 1 dirname | sort -u); do \
		for t in $$(grep -ho '^func Fuzz[A-Za-z0-9]*' $$d/*_test.go | cut -c 6-); do \
			CGO_ENABLED=0 $(GO) test $$d -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZ) -fuzzminimizetime 1x || exit 1; \
		done; done

lint: vet ## gofmt, go vet, staticcheck, and the rules of prose for pages, comments and help
	CGO_ENABLED=0 $(GO) test $(plain) -count=1 -run 'TestProse|TestPatterns|TestLimits' ./internal/house ./cmd/beff

# What lint checks without tests: make test has the tests in test-go.
vet:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "make: gofmt would change these" >&2; exit 1; }
	CGO_ENABLED=1 $(GO) list ./... >/dev/null # as users build it: cgo refuses C next to Go that doesn't use it
	cd tools && CGO_ENABLED=0 $(GO) vet ./... ../... && \
		CGO_ENABLED=0 $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./... ../...

mutants: ## change one operator or constant at a time and see which changes no test notices; takes an hour
	$(call tool,mutate) -n $(N) -seed $(SEED) $(PACKAGES)

listed = $(GO) list -f '{{with .Module}}{{if .Main}}$(1) {{$$.Dir}} {{join $$.GoFiles " "}}{{end}}{{end}}'

list: ## make the outputs in the pages again, with docs/list.md, and verify the results of the list
	UPDATE=1 $(GO) test -run TestOutputsInDocs ./cmd/beff
	$(GO) test -run TestPublicList ./report

lines: ## print the Go lines of each directory: of the packages in bin/beff, and of others (for tests)
	@echo "room      product   others"
	@{ $(call listed,product) -deps ./cmd/beff; $(call listed,others) ./...; } | awk -v root='$(CURDIR)/' '!seen[$$2]++ { \
		room = substr($$2, length(root) + 1); sub("/.*", "", room); rooms[room]; \
		for (i = 3; i <= NF; i++) while ((getline line < ($$2 "/" $$i)) > 0) { n[$$1, room]++; n[$$1, "all"]++ } } \
		END { rooms["all"]; for (r in rooms) printf "%-8s %8d %8d\n", r, n["product", r], n["others", r] }' | sort -k2n

direct = awk '/^require/ { on = 1; next } /^\)/ { on = 0 } on && !/indirect/ { print $$1 }' go.mod

deps-behind: ## print the direct modules that have a newer version; go.mod has the reason if one isn't updated
	@set -e; for dir in . packaging tools; do cd $(CURDIR)/$$dir; \
		list=$$($(GO) list -m -u -f '{{if .Update}}{{.Path}} {{.Version}} -> {{.Update.Version}}{{end}}' $$($(direct))); \
		echo "$$list" | sed '/^$$/d'; done

deps: ## install the needs of the tests by the system's package manager
	@.ci/deps

clean: ## remove built files
	rm -rf bin build dist
