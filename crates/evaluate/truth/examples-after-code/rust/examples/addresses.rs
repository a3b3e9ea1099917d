//! Parses mail addresses from the command line.

use mailq::address::Address;

fn main() {
    for text in std::env::args().skip(1) {
        match Address::parse(&text) {
            Ok(address) => println!("{address} is an address at {}", address.domain()),
            Err(error) => println!("{error}"),
        }
    }
}
