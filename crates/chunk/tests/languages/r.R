library(dplyr)
# <- import dplyr
# ~ call library
require("ggplot2")
# <- import ggplot2
# ~ call require
source("R/helpers.R")
# <- import R/helpers.R
# ~ call source

# The mean of what is there.
mean_of <- function(x, na.rm = TRUE) {
# <- definition.function (doc, body)
  stopifnot(is.numeric(x))
  # ~ call stopifnot, call is.numeric
  inner <- function(y) y + 1
  # <- definition.function in mean_of (body)
  base::mean(inner(x), na.rm = na.rm)
  # ~ call mean, call inner
}

add = function(a, b) a + b
# <- definition.function (body)
LIMIT <- 10
# <- definition.constant

setClass("Person", representation(name = "character"))
#         ^ definition.class
# ~ call setClass, call representation
setGeneric("greet", function(object, ...) standardGeneric("greet"))
#           ^ definition.function
# ~ call setGeneric, call standardGeneric
setMethod("greet", "Person", function(object, ...) {
#          ^ definition.function
# ~ call setMethod
  cat(object@name)
  # ~ call cat
})

Stack <- R6::R6Class("Stack",
# <- definition.class (body)
# ~ call R6Class
  public = list(
  # ~ call list
    items = NULL,
    push = function(x) {
    # <- definition.method in Stack (body)
      self$items <- c(self$items, x)
      # ~ call c
    }
  )
)

print.person <- function(x, ...) {
# <- definition.function (body)
  df %>% filter(age > 3) |> summarise(n = n())
  # ~ call filter, call summarise, call n
}
