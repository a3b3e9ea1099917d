include config.mk
-include local.mk

# The compiler.
CC := gcc
CFLAGS ?= -O2

define greeting
hello $(1)
endef

.PHONY: all clean

# Builds all.
all: app tests
	@echo $(call greeting,world)

app: main.o util.o
	$(CC) $(CFLAGS) -o $@ $^

%.o: %.c
	$(CC) -c $<

clean:
	rm -f *.o $(wildcard *.d)

ifeq ($(DEBUG),1)
CFLAGS += -g
endif
