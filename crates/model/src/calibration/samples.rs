//! Texts for calibrating estimates: code in several languages, JSON and prose.

/// The texts. Changing them changes the calibrated counts of every server.
pub const SAMPLES: &[&str] = &[PYTHON, RUST, TYPESCRIPT, C, GO, JSON, PROSE];

const PYTHON: &str = r#"from __future__ import annotations

import collections
from dataclasses import dataclass, field


@dataclass
class ShoppingCart:
    """Items that a customer wants to buy, and what they cost."""

    customer_id: int
    items: dict[str, int] = field(default_factory=dict)
    discount_percent: float = 12.5

    def add_item(self, name: str, quantity: int = 1) -> None:
        if quantity <= 0:
            raise ValueError(f"quantity must be positive, got {quantity!r}")
        self.items[name] = self.items.get(name, 0) + quantity

    def total(self, prices: dict[str, float]) -> float:
        subtotal = sum(prices[name] * n for name, n in self.items.items())
        return round(subtotal * (1 - self.discount_percent / 100), 2)


def most_common_words(path, limit=10):
    counter = collections.Counter()
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            counter.update(word.lower() for word in line.split() if word.isalpha())
    return counter.most_common(limit)
"#;

const RUST: &str = r"use std::collections::HashMap;
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CacheError {
    NotFound { key: String },
    CapacityExceeded(usize),
}

impl<K: Eq + std::hash::Hash, V: Clone> Cache<K, V> {
    /// Returns the cached value, or computes and stores it.
    pub fn get_or_insert_with(&self, key: K, make: impl FnOnce() -> V) -> V {
        let mut entries = self.entries.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        entries.entry(key).or_insert_with(make).clone()
    }

    pub(crate) fn evict_expired(&mut self, now_ms: u64) -> usize {
        let before = self.entries.len();
        self.entries.retain(|_, entry| entry.expires_at_ms > now_ms && !entry.is_stale());
        before - self.entries.len()
    }
}

fn parse_u32_le(bytes: &[u8; 4]) -> u32 {
    bytes.iter().rev().fold(0_u32, |acc, &byte| (acc << 8) | u32::from(byte))
}
";

const TYPESCRIPT: &str = r#"import { useEffect, useMemo, useState } from 'react';
import type { XMLHttpRequestOptions } from './httpClient';

export interface UserProfileProps {
  readonly userId: string;
  onError?: (error: Error) => void;
}

export const UserProfile: React.FC<UserProfileProps> = ({ userId, onError }) => {
  const [profile, setProfile] = useState<Profile | null>(null);
  const displayName = useMemo(() => `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim(), [profile]);

  useEffect(() => {
    let isCancelled = false;
    fetch(`/api/v2/users/${encodeURIComponent(userId)}?expand=roles&lang=en-GB`)
      .then(async (response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
      .then((data) => !isCancelled && setProfile(data))
      .catch((error) => onError?.(error));
    return () => { isCancelled = true; };
  }, [userId]);

  return <div className="profile-card" data-testid="profile">{displayName || 'Anonymous'}</div>;
};
"#;

const C: &str = r#"#include <stdint.h>
#include "crc32.h"

#define CRC32_POLYNOMIAL 0xEDB88320u
#define MAX_BUF_SZ (1 << 14)

static const uint32_t crc32_tab[] = {
	0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f,
	0xe963a535, 0x9e6495a3, 0x0edb8832, 0x79dcb8a4, 0xe0d5e91e, 0x97d2d988,
	0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91, 0x1db71064, 0x6ab020f2,
};

uint32_t crc32_update(uint32_t crc, const unsigned char *buf, size_t len)
{
	if (buf == NULL || len > MAX_BUF_SZ)
		return 0;
	crc = ~crc;
	while (len--)
		crc = crc32_tab[(crc ^ *buf++) & 0xff] ^ (crc >> 8);
	return ~crc;
}
"#;

const GO: &str = r#"package httpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// HandleCreateOrder validates the request, stores the order and answers with its identifier.
func (s *Server) HandleCreateOrder(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()

	var request CreateOrderRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, fmt.Sprintf("cannot decode request: %v", err), http.StatusBadRequest)
		return
	}
	orderID, err := s.store.InsertOrder(ctx, request.CustomerID, request.Lines)
	switch {
	case errors.Is(err, ErrOutOfStock):
		w.WriteHeader(http.StatusConflict)
	case err != nil:
		s.logger.Printf("insert order: %v", err)
		w.WriteHeader(http.StatusInternalServerError)
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"orderId": orderID, "createdAt": time.Now().UTC()})
	}
}
"#;

const JSON: &str = r#"{
  "name": "@example/build-tools",
  "version": "3.14.159-beta.2",
  "license": "Apache-2.0",
  "engines": { "node": ">=18.17.0", "npm": "^9.8.1" },
  "scripts": {
    "build": "tsc -p tsconfig.json && esbuild src/index.ts --bundle --outfile=dist/index.js",
    "test": "NODE_OPTIONS=--max-old-space-size=4096 vitest run --coverage"
  },
  "dependencies": {
    "lodash.debounce": "4.0.8",
    "resolved": "https://registry.example.org/lodash/-/lodash-4.17.21.tgz",
    "integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
  },
  "matrix": [[0.0012, -17.25, 1e-9], [65535, 4294967296, 1970]]
}
"#;

const PROSE: &str = r"# Getting started

The scheduler reads `config/settings.yaml` once when it starts. It does **not** notice later changes, so restart it after
you have edited the file. Every job runs in its own process; a job that fails is tried again after 30, 60 and 120 seconds.

1. Install the requirements with `pip install -r requirements.txt`.
2. Create the database: `createdb --encoding=UTF8 scheduler_dev`.
3. Run `./manage.sh migrate && ./manage.sh serve --port 8080`.

> Größere Änderungen (z. B. am Schema) werden im Änderungsprotokoll beschrieben. 日本語のコメントも使えます。

| Option | Default | Meaning |
|:-------|--------:|:--------|
| `MAX_RETRIES` | 3 | attempts before a job is given up |
| `QUEUE_URL` | `amqp://localhost:5672/%2f` | where jobs come from |
";
