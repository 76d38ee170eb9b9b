# `make demo` shows what the package does, `make test` checks all of it. Both install what is missing.
R := R
RSCRIPT := Rscript
# Where the package is installed for the targets below; your own library stays as it is.
LIBRARY := build/library
SOURCES := $(wildcard DESCRIPTION NAMESPACE R/*.R src/Makevars inst/CITATION inst/javascript/*) \
           $(shell find src -name '*.cpp' -o -name '*.h')

.PHONY: help demo test setup setup-test package install document core-test unit-test lint check \
        coverage valgrind test-portable site figures clean

help:
	@echo "make demo       learn networks from the data at hand and compare them"
	@echo "make install    install the package and its tutorials into your R library"
	@echo "make test       everything that is checked before a change is taken"
	@echo "  make core-test, unit-test, lint, check, coverage   one part of it"
	@echo "make valgrind   the R tests under valgrind: an hour or two"
	@echo "make test-portable   the core with clang, for arm64 (emulated) and for Windows (built only)"
	@echo "make document   write man/, NAMESPACE and the Rcpp glue from the sources"
	@echo "make site       the web site, into docs/"
	@echo "make figures    the picture of README.md"

demo: package
	@$(RSCRIPT) tools/demo.R
	@$(RSCRIPT) tools/tutorials.R $(LIBRARY)

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
	@MAKEFLAGS=-j2 PKG_CXXFLAGS='-MMD -MP' $(R) CMD INSTALL --library=$(LIBRARY) . > build/install.log 2>&1 || \
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

test-portable: setup
	@tools/portable

site: setup-test $(LIBRARY)/daggnn/DESCRIPTION
	@$(RSCRIPT) tools/site.R

figures: package
	@$(RSCRIPT) tools/figures.R

clean:
	rm -rf build docs demo-output
	find src -name '*.o' -o -name '*.d' -o -name '*.so' -o -name '*.dll' | xargs rm -f
