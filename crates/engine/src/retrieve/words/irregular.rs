//! Forms of English words that no ending tells: irregular verbs and plurals. A question says `where are mails sent`, the
//! code `send`.

/// Verbs with their past forms. Left out are forms that mean something else in code more often (`left`, `bit`, `saw`,
/// `read`), and verbs shorter than three letters.
const VERBS: &[(&str, &[&str])] = &[
    ("awake", &["awoke", "awoken"]),
    ("begin", &["began", "begun"]),
    ("bend", &["bent"]),
    ("bind", &["bound"]),
    ("blow", &["blew", "blown"]),
    ("break", &["broke", "broken"]),
    ("bring", &["brought"]),
    ("build", &["built"]),
    ("burn", &["burnt"]),
    ("buy", &["bought"]),
    ("catch", &["caught"]),
    ("choose", &["chose", "chosen"]),
    ("cling", &["clung"]),
    ("creep", &["crept"]),
    ("deal", &["dealt"]),
    ("dig", &["dug"]),
    ("draw", &["drew", "drawn"]),
    ("drink", &["drank", "drunk"]),
    ("drive", &["drove", "driven"]),
    ("eat", &["ate", "eaten"]),
    ("fall", &["fell", "fallen"]),
    ("feed", &["fed"]),
    ("fight", &["fought"]),
    ("flee", &["fled"]),
    ("fly", &["flew", "flown"]),
    ("forbid", &["forbade", "forbidden"]),
    ("forget", &["forgot", "forgotten"]),
    ("freeze", &["froze", "frozen"]),
    ("grow", &["grew", "grown"]),
    ("hang", &["hung"]),
    ("hear", &["heard"]),
    ("hide", &["hid", "hidden"]),
    ("hold", &["held"]),
    ("keep", &["kept"]),
    ("lay", &["laid"]),
    ("learn", &["learnt"]),
    ("lend", &["lent"]),
    ("lose", &["lost"]),
    ("make", &["made"]),
    ("meet", &["met"]),
    ("pay", &["paid"]),
    ("prove", &["proven"]),
    ("ride", &["rode", "ridden"]),
    ("rise", &["rose", "risen"]),
    ("run", &["ran"]),
    ("seek", &["sought"]),
    ("sell", &["sold"]),
    ("send", &["sent"]),
    ("shake", &["shook", "shaken"]),
    ("show", &["shown"]),
    ("shrink", &["shrank", "shrunk"]),
    ("sing", &["sang", "sung"]),
    ("sink", &["sank", "sunk"]),
    ("sleep", &["slept"]),
    ("slide", &["slid"]),
    ("speak", &["spoke", "spoken"]),
    ("spend", &["spent"]),
    ("spill", &["spilt"]),
    ("spin", &["spun"]),
    ("stand", &["stood"]),
    ("steal", &["stole", "stolen"]),
    ("stick", &["stuck"]),
    ("strike", &["struck"]),
    ("swear", &["swore", "sworn"]),
    ("sweep", &["swept"]),
    ("swing", &["swung"]),
    ("take", &["took", "taken"]),
    ("teach", &["taught"]),
    ("tear", &["tore", "torn"]),
    ("tell", &["told"]),
    ("throw", &["threw", "thrown"]),
    ("undo", &["undid", "undone"]),
    ("wake", &["woke", "woken"]),
    ("wear", &["wore", "worn"]),
    ("weave", &["wove", "woven"]),
    ("win", &["won"]),
    ("write", &["wrote", "written"]),
];

/// Beginnings with which such verbs make others: `overwritten`, `rebuilt`, `withheld`.
const PREFIXES: [&str; 8] = ["over", "re", "un", "under", "mis", "with", "up", "for"];

/// Singulars with their plurals.
const NOUNS: &[(&str, &[&str])] = &[
    ("analysis", &["analyses"]),
    ("appendix", &["appendices"]),
    ("axis", &["axes"]),
    ("basis", &["bases"]),
    ("child", &["children"]),
    ("criterion", &["criteria"]),
    ("foot", &["feet"]),
    ("half", &["halves"]),
    ("index", &["indices"]),
    ("leaf", &["leaves"]),
    ("man", &["men"]),
    ("matrix", &["matrices"]),
    ("mouse", &["mice"]),
    ("parenthesis", &["parentheses"]),
    ("person", &["people"]),
    ("schema", &["schemata"]),
    ("shelf", &["shelves"]),
    ("vertex", &["vertices"]),
];

/// The words that a lower-case word is an irregular form of.
pub(super) fn bases_of(word: &str) -> Vec<String> {
    let mut res: Vec<String> = bases(VERBS, word).chain(bases(NOUNS, word)).collect();
    for (prefix, rest) in without_prefix(word) {
        res.extend(bases(VERBS, rest).map(|it| format!("{prefix}{it}")));
    }
    res
}

/// The past forms of a verb, or the plurals of a noun, in lower case.
pub(super) fn irregular_forms(word: &str) -> Vec<String> {
    let mut res: Vec<String> = forms(VERBS, word).chain(forms(NOUNS, word)).collect();
    for (prefix, rest) in without_prefix(word) {
        res.extend(forms(VERBS, rest).map(|it| format!("{prefix}{it}")));
    }
    res
}

type Table = [(&'static str, &'static [&'static str])];

fn bases(table: &Table, word: &str) -> impl Iterator<Item = String> {
    table.iter().filter(move |it| it.1.contains(&word)).map(|it| it.0.to_owned())
}

fn forms(table: &Table, word: &str) -> impl Iterator<Item = String> {
    let found = table.iter().filter(move |it| it.0 == word);
    found.flat_map(|it| it.1).map(|it| (*it).to_owned())
}

/// The word without a prefix, for each that it may have.
fn without_prefix(word: &str) -> impl Iterator<Item = (&'static str, &str)> {
    PREFIXES.into_iter().filter_map(move |it| Some((it, word.strip_prefix(it)?)))
}
