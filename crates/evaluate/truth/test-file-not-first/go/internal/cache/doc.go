package cache

// Values are dropped when they are stale; the janitor calls Sweep once a minute.
