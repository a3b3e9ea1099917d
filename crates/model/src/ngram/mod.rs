//! The nested cache n-gram model of code, after Hellendoorn and Devanbu, "Are deep neural networks the best choice for
//! modeling source code?" (FSE 2017), and the cache of Tu, Su and Devanbu, "On the localness of software" (FSE 2014).
//!
//! Nothing is trained in advance: all counts come from the texts at hand. Texts are tokens of [`lexer`], without the
//! whitespace within lines. Scopes are nested from near to far: the last thousand tokens, the cursor's file, the pieces
//! of context, the directory, the repository.
//!
//! *Within a scope* the maximum-likelihood estimates of all orders are interpolated (Jelinek and Mercer 1980), from the
//! longest context `h_K` that occurs in the scope (at most five tokens) down to none:
//!
//! ```text
//! p_s(w | h) = Σ_{k=K..0} λ (1-λ)^(K-k) c(h_k w) / c(h_k)  /  (1 - (1-λ)^(K+1))        λ = 0.5
//! ```
//!
//! For code the paper found this better than Kneser-Ney and Witten-Bell, and order 6 with λ = 0.5 sufficient.
//!
//! *Between scopes* weights grow with the length of the known context, inversely to the mass that its orders leave
//! over, as in the authors' tool: `ω_s ∝ 1 / (1-λ)^(K_s+1)`. The weights depend on `h` alone, so the mixture sums to
//! one.
//!
//! *A token unknown to all scopes* gets the share `ε(h)`, by the longest context known to any scope, and is spelled
//! byte by byte (`spelling`); *the whitespace before a token* is predicted from it and the token before (`gaps`):
//!
//! ```text
//! P(w | h) = (1 - ε(h)) Σ_s ω_s(h) p_s(w | h) + ε(h) P_spelled(w)
//! P(text)  = Π P(w_i | h_i) P(gap_i | w_{i-1}, w_i)
//! ```
//!
//! So every text has a probability above zero, and bits are comparable between contexts with different names.

mod corpus;
mod counts;
mod gaps;
mod history;
mod learner;
pub mod lexer;
mod model;
mod outer;
mod preset;
mod recent;
mod spelling;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use corpus::Background;
pub(crate) use corpus::{Occurrence, View};
pub(crate) use gaps::Side;
pub use history::History;
pub(crate) use model::Mixture;
pub use model::{Model, Score};
pub use outer::CountCache;
pub(crate) use outer::{FileText, OuterCounts};
pub(crate) use vocabulary::{BEGIN, END};
