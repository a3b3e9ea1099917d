include config.mk
# <- import config.mk
-include local.mk
# <- import local.mk

# The compiler.
CC := gcc
# <- definition.constant (doc)
CFLAGS ?= -O2
# <- definition.constant

define greeting
#      ^ definition.macro (body)
hello $(1)
endef

.PHONY: all clean
# ~ call all, call clean

# Builds all.
all: app tests
# <- definition.function (doc, body)
# ~ call app, call tests
	@echo $(call greeting,world)

app: main.o util.o
# <- definition.function (body)
# ~ call main.o, call util.o
	$(CC) $(CFLAGS) -o $@ $^
	# ~ type CC, type CFLAGS

%.o: %.c
# <- definition.function (body)
# ~ call %.c
	$(CC) -c $<
	# ~ type CC

clean:
# <- definition.function (body)
	rm -f *.o $(wildcard *.d)

ifeq ($(DEBUG),1)
# ~ type DEBUG
CFLAGS += -g
endif
