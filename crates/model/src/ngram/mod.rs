//! The nested cache n-gram model of code, after Hellendoorn and Devanbu, "Are deep neural networks the best choice for
//! modeling source code?" (FSE 2017), and the cache of Tu, Su and Devanbu, "On the localness of software" (FSE 2014).
//!
//! Nothing is trained ahead: everything is counted in the texts at hand. Texts are tokens of [`lexer`], with the blanks
//! of a line apart. Scopes are nested from near to far, say the last thousand tokens, the cursor's file, the pieces of
//! context, the directory, the repository.
//!
//! *Within a scope* the maximum-likelihood estimates of all orders are interpolated (Jelinek and Mercer 1980), from the
//! longest context `h_K` that occurs in the scope, at most five tokens, down to none:
//!
//! ```text
//! p_s(w | h) = Σ_{k=K..0} λ (1-λ)^(K-k) c(h_k w) / c(h_k)  /  (1 - (1-λ)^(K+1))        λ = 0.5
//! ```
//!
//! The paper found this better for code than Kneser-Ney and Witten-Bell, and order 6 with λ = 0.5 enough.
//!
//! *Between scopes* each is weighted by how much context it knows, in inverse proportion to the mass that its orders
//! leave over, as the authors' tool does: `ω_s ∝ 1 / (1-λ)^(K_s+1)`. The weights depend on `h` alone, so the mixture
//! sums to one.
//!
//! *A token that no scope has* gets the share `ε(h)`, by the longest context that any scope knows, and is spelled byte
//! by byte (`spelling`); *the blanks before a token* are predicted from it and the token before (`gaps`):
//!
//! ```text
//! P(w | h) = (1 - ε(h)) Σ_s ω_s(h) p_s(w | h) + ε(h) P_spelled(w)
//! P(text)  = Π P(w_i | h_i) P(gap_i | w_{i-1}, w_i)
//! ```
//!
//! So every text has a probability above zero, and bits are comparable between contexts that know different names.

mod corpus;
mod counts;
mod gaps;
pub mod lexer;
mod model;
mod spelling;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use corpus::Background;
pub(crate) use corpus::{Occurrence, View};
pub(crate) use gaps::Side;
pub(crate) use model::Mixture;
pub use model::{History, Model, Score};
pub(crate) use vocabulary::{BEGIN, END};
