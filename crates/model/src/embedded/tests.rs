//! Examples of completions.

use super::{CountCache, Extent, Hole, complete};

/// The best completion at `|`.
fn check(marked: &str, pieces: &[&str], extent: Extent) -> String {
    let (prefix, suffix) = marked.split_once('|').unwrap();
    let hole = Hole { prefix, suffix, pieces, ..Hole::default() };
    complete(&hole, extent, 3).into_iter().next().map(|it| it.text).unwrap_or_default()
}

const SHOP: &str = "def add(cart, item):\n    check(cart)\n    cart.items.append(item)\n    cart.save()\n    return cart\n";

#[test]
fn a_line_is_copied_from_a_piece() {
    let text = "def remove(cart, item):\n    check(cart)\n    |\n";
    assert_eq!(check(text, &[SHOP], Extent::Line), "cart.items.append(item)");
}

#[test]
fn a_half_written_name_is_finished() {
    assert_eq!(check("cart.items.app|\n", &[SHOP], Extent::Line), "end(item)");
}

#[test]
fn the_indentation_that_is_missing_is_written() {
    let text = "def remove(cart, item):\n    check(cart)\n|\n";
    assert_eq!(check(text, &[SHOP], Extent::Line), "    cart.items.append(item)");
}

#[test]
fn a_block_goes_on_to_its_end() {
    let text = "def remove(cart, item):\n    check(cart)\n    |\n\n\nx = 1\n";
    let block = "cart.items.append(item)\n    cart.save()\n    return cart";
    assert_eq!(check(text, &[SHOP], Extent::Block(8)), block);
}

#[test]
fn what_follows_on_the_line_is_not_written_again() {
    assert_eq!(check("    check(cart)\n    cart.items.append(|)\n", &[SHOP], Extent::Line), "item");
}

#[test]
fn what_follows_below_is_not_written_again() {
    let text =
        "def remove(cart, item):\n    check(cart)\n    |\n    cart.save()\n    return cart\n";
    let block = check(text, &[SHOP], Extent::Block(8));
    assert_eq!(block, "cart.items.append(item)");
}

#[test]
fn a_name_that_is_written_out_goes_on() {
    assert_eq!(check("    check(cart)\n    cart.items|\n", &[SHOP], Extent::Line), ".append(item)");
}

#[test]
fn line_ends_are_those_of_the_file() {
    let text = "def f(cart, item):\r\n    check(cart)\r\n    |\r\n";
    let block = "cart.items.append(item)\r\n    cart.save()\r\n    return cart";
    assert_eq!(check(text, &[SHOP], Extent::Block(8)), block);
}

#[test]
fn nothing_known_is_no_answer() {
    assert_eq!(complete(&Hole::default(), Extent::Line, 3), Vec::new());
}

#[test]
fn the_same_hole_gives_the_same_answer() {
    let hole = Hole { prefix: "cart.", suffix: "\n", pieces: &[SHOP], ..Hole::default() };
    assert_eq!(complete(&hole, Extent::Block(4), 5), complete(&hole, Extent::Block(4), 5));
}

#[test]
fn lines_are_counted_without_the_blanks_around_them() {
    let text = "a b\n  a b \r\na b c\n\n\ta b";
    assert_eq!(super::lines_with(text, "a b"), 3);
    assert_eq!(super::lines_with(text, ""), 1);
    assert_eq!(super::lines_with("x x x x", "x"), 0);
}

#[test]
fn kept_counts_do_not_change_an_answer() {
    let lines = |name: &str| (0..900).map(|it| format!("{name}.add(item_{it}, {it})\n")).collect();
    let (before, after): (String, String) = (lines("cart"), lines("shop"));
    let (cache, suffix) = (CountCache::default(), format!("\n{after}"));
    for typed in ["cart.add(i", "cart.add(item_90", "shop.add(item_3, "] {
        let prefix = format!("{before}{typed}");
        let hole = Hole { prefix: &prefix, suffix: &suffix, ..Hole::default() };
        let kept = Hole { cache: Some(&cache), ..hole };
        let expected = complete(&hole, Extent::Line, 3);
        assert!(!expected.is_empty());
        assert_eq!(complete(&kept, Extent::Line, 3), expected);
    }
}
