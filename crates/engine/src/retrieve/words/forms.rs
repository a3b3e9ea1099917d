//! Forms of an English word: inflections, British and American spelling, usual short forms. A question and the code may
//! use different ones. Forms that no file has cost a look-up and nothing else.

use super::irregular::{bases_of, irregular_forms};
use crate::preset::constants::retrieve::SHORTEST_INFLECTED_WORD;

/// Usual short forms in code, each with the words that it stands for.
const SHORT_FORMS: &[(&str, &[&str])] = &[
    ("addr", &["address"]),
    ("app", &["application"]),
    ("arg", &["argument"]),
    ("async", &["asynchronous"]),
    ("attr", &["attribute"]),
    ("auth", &["authentication", "authenticate", "authorization", "authorize"]),
    ("cert", &["certificate"]),
    ("cmd", &["command"]),
    ("config", &["configuration", "configure"]),
    ("conn", &["connection"]),
    ("ctx", &["context"]),
    ("db", &["database"]),
    ("dep", &["dependency"]),
    ("dest", &["destination"]),
    ("dir", &["directory", "folder"]),
    ("doc", &["documentation", "document"]),
    ("env", &["environment"]),
    ("err", &["error"]),
    ("exec", &["execute"]),
    ("fmt", &["format"]),
    ("func", &["function"]),
    ("impl", &["implementation", "implement"]),
    ("info", &["information"]),
    ("init", &["initialize", "initialization"]),
    ("lib", &["library"]),
    ("msg", &["message"]),
    ("param", &["parameter"]),
    ("pkg", &["package"]),
    ("prefs", &["preferences"]),
    ("proc", &["process"]),
    ("regex", &["regexp"]),
    ("repo", &["repository"]),
    ("req", &["request"]),
    ("resp", &["response"]),
    ("spec", &["specification"]),
    ("src", &["source"]),
    ("sync", &["synchronize"]),
    ("temp", &["temporary"]),
    ("tmp", &["temporary", "temp"]),
    ("util", &["utility"]),
];

/// Endings and what may stand in their place in the stem.
const ENDINGS: &[(&str, &[&str])] = &[
    ("ies", &["y"]),
    ("es", &[""]),
    ("s", &[""]),
    ("ied", &["y"]),
    ("ing", &["", "e"]),
    ("ed", &["", "e"]),
    ("er", &["", "e"]),
    ("or", &["", "e"]),
    ("ification", &["ify"]),
    ("ation", &["ate", "e", ""]),
    ("ion", &["", "e"]),
    ("ment", &[""]),
    ("ity", &["", "e"]),
    ("iry", &["ire"]),
    ("ery", &["er"]),
    ("ety", &["e"]),
];

/// Parts of words that are spelt in two ways, British first.
const SPELLINGS: &[(&str, &str)] =
    &[("our", "or"), ("is", "iz"), ("ys", "yz"), ("ogue", "og"), ("ence", "ense"), ("ll", "l")];

/// Other forms of a lower-case word, sorted.
pub(in crate::retrieve) fn forms_of(word: &str) -> Vec<String> {
    let mut res = Vec::new();
    if word.len() < SHORTEST_INFLECTED_WORD || !word.bytes().all(|it| it.is_ascii_lowercase()) {
        return res;
    }
    let mut stems = stems_of(word);
    stems.extend(stems.clone().iter().flat_map(|it| other_spellings(it)));
    stems.extend(stems.clone().iter().flat_map(|it| short_forms(it)));
    stems.extend(stems.clone().iter().flat_map(|it| bases_of(it)));
    for stem in stems {
        if has_vowel(&stem) {
            inflect(&stem, &mut res);
        }
        res.extend(irregular_forms(&stem));
        res.push(stem);
    }
    res.retain(|it| it != word && it.len() >= SHORTEST_INFLECTED_WORD);
    res.sort_unstable();
    res.dedup();
    res
}

/// True if a word is the plural of another, by its ending.
pub(in crate::retrieve) fn is_plural_of(plural: &str, singular: &str) -> bool {
    match plural.strip_prefix(singular) {
        Some("s") => may_end(singular, "s"),
        Some("es") => may_end(singular, "es"),
        _ => singular.strip_suffix('y').is_some_and(|it| plural.strip_prefix(it) == Some("ies")),
    }
}

/// The word, and what is left of it without an ending.
fn stems_of(word: &str) -> Vec<String> {
    let mut res = vec![word.to_owned()];
    for (ending, replacements) in ENDINGS {
        let stem = word.strip_suffix(ending).filter(|it| it.len() >= 3 && has_vowel(it));
        let Some(stem) = stem.filter(|it| may_end(it, ending)) else { continue };
        res.extend(replacements.iter().map(|it| format!("{stem}{it}")));
        // running → run
        let mut last = stem.bytes().rev();
        if last.next() == last.next() {
            res.push(stem[..stem.len() - 1].to_owned());
        }
    }
    res
}

/// Whether a stem may have this ending: `classes` and `matches` end in `es`, `types` ends in `s`; `iterator` and
/// `processor` end in `or`, `error` does not.
fn may_end(stem: &str, ending: &str) -> bool {
    let sibilant = ["s", "x", "z", "ch", "sh", "o"].iter().any(|it| stem.ends_with(it));
    match ending {
        "es" => sibilant,
        "s" => !stem.ends_with(['s', 'u']) && !stem.ends_with("ie"),
        "or" | "ion" => stem.ends_with(['s', 't']),
        _ => true,
    }
}

/// Adds the inflections of a stem.
fn inflect(stem: &str, res: &mut Vec<String>) {
    let short = stem.strip_suffix('e').unwrap_or(stem);
    let plural = match stem.strip_suffix('y').filter(|it| !it.ends_with(is_vowel)) {
        Some(short) => {
            res.push(format!("{short}ied"));
            format!("{short}ies")
        }
        None if may_end(stem, "es") => format!("{stem}es"),
        None => format!("{stem}s"),
    };
    res.push(plural);
    res.extend(["ing", "ed", "er", "or", "ation", "ion"].map(|it| format!("{short}{it}")));
    res.push(format!("{stem}ment"));
    if let Some(short) = stem.strip_suffix("ire") {
        res.push(format!("{short}iry"));
    }
    if stem.ends_with("er") {
        res.push(format!("{stem}y"));
    }
    if let Some(short) = stem.strip_suffix("ify") {
        res.extend(["ification", "ifications"].map(|it| format!("{short}{it}")));
    }
    if doubles(stem) {
        let last = &stem[stem.len() - 1..];
        res.extend(["ing", "ed", "er"].map(|it| format!("{stem}{last}{it}")));
    }
}

/// Whether the last letter is doubled before an ending: a consonant after a single vowel (`debug`, `run`, `cancel`).
fn doubles(stem: &str) -> bool {
    let mut last = stem.chars().rev();
    let (end, vowel, before) = (last.next(), last.next(), last.next());
    end.is_some_and(|it| !is_vowel(it) && !"wxyh".contains(it))
        && vowel.is_some_and(is_vowel)
        && before.is_some_and(|it| !is_vowel(it))
}

/// The word in British and American spelling: colour, serialise, analyse, catalogue, licence, cancelled.
fn other_spellings(word: &str) -> Vec<String> {
    let swapped = |(from, to): (&str, &str)| {
        let at = word.rfind(from).filter(|at| *at >= 3)?;
        Some(format!("{}{to}{}", &word[..at], &word[at + from.len()..]))
    };
    let pairs = SPELLINGS
        .iter()
        .flat_map(|(british, american)| [(*british, *american), (*american, *british)]);
    pairs.filter_map(swapped).collect()
}

/// Short forms of a word, and the words of a short form.
fn short_forms(word: &str) -> Vec<String> {
    let mut res = Vec::new();
    for (short, words) in SHORT_FORMS {
        if *short == word {
            res.extend(words.iter().map(|it| (*it).to_owned()));
        } else if words.contains(&word) {
            res.push((*short).to_owned());
        }
    }
    res
}

fn has_vowel(word: &str) -> bool {
    word.contains(is_vowel) || word.contains('y')
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_forms_that_code_and_questions_use() {
        for (word, form) in [
            ("dependency", "dependencies"),
            ("classes", "class"),
            ("match", "matches"),
            ("entries", "entry"),
            ("debug", "debugging"),
            ("running", "run"),
            ("caching", "cache"),
            ("retries", "retry"),
            ("expiry", "expire"),
            ("expire", "expiry"),
            ("expires", "expiration"),
            ("delivery", "deliver"),
            ("compress", "compression"),
            ("connection", "connect"),
            ("validate", "validation"),
            ("deploy", "deployment"),
            ("handler", "handling"),
            ("colour", "color"),
            ("colours", "color"),
            ("color", "colours"),
            ("serialisation", "serialization"),
            ("initialise", "initialize"),
            ("initialize", "initialised"),
            ("cancelled", "canceled"),
            ("analyse", "analyze"),
            ("configuration", "config"),
            ("parameters", "param"),
            ("impls", "implementation"),
            ("auth", "authentication"),
        ] {
            assert!(forms_of(word).iter().any(|it| it == form), "{word}: {form} is missing");
        }
    }

    #[test]
    fn irregular_forms_lead_to_each_other() {
        for (word, form) in [
            ("sent", "send"),
            ("sending", "sent"),
            ("written", "writer"),
            ("overwritten", "overwrite"),
            ("rebuilt", "rebuild"),
            ("withhold", "withheld"),
            ("chosen", "choose"),
            ("vertices", "vertex"),
            ("index", "indices"),
            ("notification", "notify"),
            ("notify", "notifications"),
        ] {
            assert!(forms_of(word).iter().any(|it| it == form), "{word}: {form} is missing");
        }
    }

    #[test]
    fn plurals_are_told_from_other_inflections() {
        for (plural, singular) in [("traits", "trait"), ("classes", "class"), ("retries", "retry")]
        {
            assert!(is_plural_of(plural, singular) && !is_plural_of(singular, plural));
            assert!(forms_of(plural).iter().any(|it| it == singular), "{plural}");
        }
        for (word, other) in [("status", "statu"), ("caching", "cache"), ("retried", "retry")] {
            assert!(!is_plural_of(word, other), "{word}");
        }
    }

    #[test]
    fn there_are_no_forms_of_what_is_no_word() {
        for word in ["http", "db2", "été", "id"] {
            assert_eq!(forms_of(word).iter().filter(|it| it.contains(word)).count(), 0, "{word}");
        }
        for (word, invented) in
            [("types", "typ"), ("error", "err_"), ("class", "clas"), ("bus", "bu")]
        {
            assert!(!forms_of(word).iter().any(|it| it == invented), "{word}: {invented}");
        }
    }
}
