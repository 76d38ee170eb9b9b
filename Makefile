# `make demo` shows what the package does, `make test` checks all of it. Both install what is missing.
R := R
RSCRIPT := Rscript
# Where the package is installed for the targets below; your own library stays as it is.
LIBRARY := build/library
SOURCES := $(wildcard DESCRIPTION NAMESPACE R/*.R src/*.cpp src/*.h src/Makevars \
             inst/include/daggnn/*.h inst/include/daggnn/*/*.h inst/CITATION)

.PHONY: help demo test setup setup-test package install document core-test unit-test lint check \
        coverage valgrind site figures clean

help:
	@echo "make demo       learn networks from the data at hand and compare them"
	@echo "make install    install the package into your R library"
	@echo "make test       everything that is checked before a change is taken"
	@echo "  make core-test, unit-test, lint, check, coverage   one part of it"
	@echo "make valgrind   the R tests under valgrind: an hour or two"
	@echo "make document   write man/, NAMESPACE and the Rcpp glue from the sources"
	@echo "make site       the web site, into docs/"
	@echo "make figures    the picture of README.md"

demo: package
	@$(RSCRIPT) tools/demo.R

test: setup-test $(LIBRARY)/daggnn/DESCRIPTION
	@tools/test

setup:
	@$(RSCRIPT) tools/setup.R

setup-test:
	@$(RSCRIPT) tools/setup.R test

package: setup
	@$(MAKE) --no-print-directory $(LIBRARY)/daggnn/DESCRIPTION

$(LIBRARY)/daggnn/DESCRIPTION: $(SOURCES)
	@mkdir -p $(LIBRARY)
	@echo "Building the package: this takes a minute or two."
	@MAKEFLAGS=-j2 $(R) CMD INSTALL --preclean --library=$(LIBRARY) . > build/install.log 2>&1 || \
	  { tail -n 40 build/install.log; echo "The package did not build: see build/install.log."; exit 1; }
	@touch $@

install: setup
	@$(RSCRIPT) tools/install.R

document: setup-test
	@$(RSCRIPT) tools/document.R

core-test: setup
	@tests/core/run

unit-test: setup-test $(LIBRARY)/daggnn/DESCRIPTION
	@$(RSCRIPT) tools/unit_test.R

lint: setup-test $(LIBRARY)/daggnn/DESCRIPTION
	@$(RSCRIPT) tools/lint.R

check: setup-test
	@$(RSCRIPT) tools/check.R

coverage: setup-test
	@$(RSCRIPT) tools/coverage.R

valgrind: setup-test $(LIBRARY)/daggnn/DESCRIPTION
	@tools/valgrind

site: setup-test $(LIBRARY)/daggnn/DESCRIPTION
	@$(RSCRIPT) tools/site.R

figures: package
	@$(RSCRIPT) tools/figures.R

clean:
	rm -rf build docs demo-output src/*.o src/*.so
