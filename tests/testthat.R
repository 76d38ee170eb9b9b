library(testthat)
library(daggnn)

test_check("daggnn")
