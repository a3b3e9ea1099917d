//! Renders chosen pieces and the text around the cursor into a model family's own prompt.
