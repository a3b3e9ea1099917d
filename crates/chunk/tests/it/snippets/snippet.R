library(dplyr)
require("ggplot2")
source("R/helpers.R")

# The mean of what is there.
mean_of <- function(x, na.rm = TRUE) {
  stopifnot(is.numeric(x))
  inner <- function(y) y + 1
  base::mean(inner(x), na.rm = na.rm)
}

add = function(a, b) a + b
LIMIT <- 10

setClass("Person", representation(name = "character"))
setGeneric("greet", function(object, ...) standardGeneric("greet"))
setMethod("greet", "Person", function(object, ...) {
  cat(object@name)
})

Stack <- R6::R6Class("Stack",
  public = list(
    items = NULL,
    push = function(x) {
      self$items <- c(self$items, x)
    }
  )
)

print.person <- function(x, ...) {
  df %>% filter(age > 3) |> summarise(n = n())
}
