//! How fast an address is parsed.

use mailq::address::Address;

/// Parses a mail address many times.
pub fn parse_address_bench(n: usize) -> usize {
    let parse = |i: usize| Address::parse(&format!("address{i}@mail.example.org"));
    (0..n).filter(|i| parse(*i).is_ok()).count()
}
