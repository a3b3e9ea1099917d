//! Structure-free chunking, at blank lines and indentation.
