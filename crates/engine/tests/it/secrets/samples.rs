//! Texts with a secret, made from makers' formats and contexts.

use foreword_engine::secret::masked;

use super::contexts::{HELD_BACK, HELD_BACK_FORMS, KNOWN, KNOWN_FORMS};
use super::makers::MAKERS;
use super::unusual;

/// Which contexts: those in view while the rules were written, the others, or unusual ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Known,
    HeldBack,
    Unusual,
}

/// A text with a secret.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) maker: &'static str,
    pub(super) file_kind: &'static str,
    pub(super) text: String,
    /// The secret parts, without published prefixes.
    pub(super) secrets: Vec<String>,
}

impl Sample {
    /// Whether at most two letters of each secret part are shown at either end, such as padding.
    pub(super) fn is_masked(&self) -> bool {
        let shown = masked(self.text.clone());
        self.secrets
            .iter()
            .filter(|it| it.len() >= 8)
            .all(|it| !shown.contains(&it[2..it.len() - 2]))
            && shown != self.text
    }
}

/// 150 samples a half: 120 or so of a maker in a context, and the forms that need no maker. Unusual places are forms.
pub(super) fn samples(half: Half) -> Vec<Sample> {
    let (contexts, forms, seed) = match half {
        Half::Known => (KNOWN, KNOWN_FORMS, 29),
        Half::HeldBack => (HELD_BACK, HELD_BACK_FORMS, 4),
        Half::Unusual => (&[][..], unusual::FORMS, 3),
    };
    let mut random = Random(seed);
    let mut res: Vec<Sample> = Vec::new();
    for (file_kind, form) in forms {
        let (text, secrets) = random.fill(form);
        let text = text.replace("@open@", "[");
        res.push(Sample { maker: "a form", file_kind, text, secrets });
    }
    for at in 0..if contexts.is_empty() { 0 } else { 150 - forms.len() } {
        let (maker, name, format) = MAKERS[at % MAKERS.len()];
        let (value, secrets) = random.fill(format);
        let (file_kind, context) = contexts[random.below(contexts.len())];
        let text = named(context, name).replace("@value@", &value);
        res.push(Sample { maker, file_kind, text, secrets });
    }
    res
}

/// The context with the name in each spelling.
fn named(context: &str, name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let pascal: String = words.iter().map(|it| it[..1].to_uppercase() + &it[1..]).collect();
    let camel = words[0].to_owned() + &pascal[words[0].len()..];
    [
        ("@UPPER@", words.join("_").to_uppercase()),
        ("@snake@", words.join("_")),
        ("@camel@", camel),
        ("@Pascal@", pascal),
        ("@kebab@", words.join("-")),
        ("@dots@", words.join(".")),
    ]
    .iter()
    .fold(context.to_owned(), |text, (place, name)| text.replace(place, name))
}

/// Pseudo-random numbers, determined by the seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((it ^ (it >> 31)) % limit as u64) as usize
    }

    /// The text of a format, and what stands for its groups.
    fn fill(&mut self, format: &str) -> (String, Vec<String>) {
        let mut parts = format.split('[');
        let mut text = parts.next().unwrap().to_owned();
        let mut secrets = Vec::new();
        for part in parts {
            let (group, literal) = part.split_once(']').unwrap();
            let alphabet = alphabet(&group[..1]);
            let mut letter = || char::from(alphabet[self.below(alphabet.len())]);
            let secret: String = (0..group[1..].parse().unwrap()).map(|_| letter()).collect();
            text = text + &secret + literal;
            secrets.push(secret);
        }
        (text, secrets)
    }
}

fn alphabet(name: &str) -> Vec<u8> {
    let ranges: &[(u8, u8)] = match name {
        "A" => return b"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".to_vec(),
        "h" => &[(b'0', b'9'), (b'a', b'f')],
        "H" => &[(b'0', b'9'), (b'A', b'F')],
        "d" => &[(b'0', b'9')],
        "u" => &[(b'0', b'9'), (b'A', b'Z')],
        "t" => &[(b'2', b'7'), (b'A', b'Z')],
        "l" => &[(b'0', b'9'), (b'a', b'z')],
        _ => &[(b'0', b'9'), (b'a', b'z'), (b'A', b'Z')],
    };
    let more: &[u8] = match name {
        "s" => b"-_",
        "b" => b"+/",
        "p" => b"!*%^~+.-_@",
        _ => b"",
    };
    ranges.iter().flat_map(|(first, last)| *first..=*last).chain(more.iter().copied()).collect()
}
