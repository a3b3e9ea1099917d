//! What a message of a conversation wants: courtesies and requests about the conversation itself need no evidence.

/// Words of greetings, thanks and assent, and words beside them.
const COURTESIES: &str = "hi hello hey thanks thank thx ty ok okay yes no nope yep sure please bye goodbye cool nice \
    great good perfect awesome fine morning afternoon evening night day continue hallo danke dankeschön bitte \
    tschüss guten tag morgen abend schön gut super ja nein servus merci bonjour salut oui bonsoir hola gracias buenos \
    buenas días ciao grazie olá obrigado obrigada oi tack hej dziękuję cześć привет спасибо здравствуйте 你好 谢谢 \
    こんにちは ありがとう 안녕하세요 감사합니다 merhaba teşekkürler";
const BESIDE_COURTESIES: &str = "you so very much for the that this it help a an all lot again are is was how doing \
    today there everyone team i im m am s fine and dir euch vielen dank sehr à bien muchas molto pour te wie geht s es";

/// Words of a courtesy, at most.
const MAX_COURTESY: usize = 8;

/// Bytes at the beginning of a message that say what it wants.
const BEGINNING: usize = 600;

/// Beginnings of questions about code.
const ASKING: [&str; 26] = [
    "how", "what", "where", "which", "why", "who", "when", "whose", "does", "do", "is", "are",
    "can", "explain", "describe", "show", "find", "list", "wie", "was", "wo", "warum", "welche",
    "wer", "erkläre", "zeige",
];

/// Whether a message is only a greeting, thanks, or assent.
pub fn is_courtesy(text: &str) -> bool {
    let is_listed = |list: &str, word: &str| list.split_whitespace().any(|it| it == word);
    let words: Vec<String> = words(text).take(MAX_COURTESY + 1).collect();
    words.len() <= MAX_COURTESY
        && (words.is_empty() || words.iter().any(|it| is_listed(COURTESIES, it)))
        && words.iter().all(|it| is_listed(COURTESIES, it) || is_listed(BESIDE_COURTESIES, it))
}

/// Words of greetings and thanks that are no names of things.
const GREETINGS: [&str; 9] =
    ["hi", "hello", "hey", "hallo", "thanks", "thank", "thx", "bye", "goodbye"];

/// Whether a message greets or thanks, and asks nothing: `continue` and `good` may be asked for, `thanks!` may not.
pub fn is_greeting(text: &str) -> bool {
    is_courtesy(text) && words(text).any(|it| GREETINGS.contains(&it.as_str()))
}

/// The answer to a message that asks nothing, without a model.
pub const NO_QUESTION: &str = "Ask about the code: where something is, how it works, what a name does, what went wrong \
    (\"where are errors handled?\").\n";

/// True for a message without a question that evidence could answer: a greeting, or nothing at all.
pub fn asks_nothing(text: &str) -> bool {
    is_greeting(text) || words(text).next().is_none()
}

/// Words of a request for a title or the like: an order, the conversation, and what is wanted of it.
const ORDERS: [&str; 10] = [
    "generate",
    "create",
    "write",
    "provide",
    "give",
    "suggest",
    "summarize",
    "summarise",
    "name",
    "come up",
];
const CONVERSATION: [&str; 7] = [
    "conversation",
    "chat history",
    "this chat",
    "the chat",
    "following messages",
    "messages above",
    "dialogue",
];
const WANTED: [&str; 10] = [
    "title",
    "tags",
    "summar",
    "follow-up",
    "follow up",
    "headline",
    "name",
    "topic",
    "query",
    "queries",
];
const ROLES: [&str; 4] = ["you generate", "you create", "you are a title", "your task is"];

/// Whether a program asks for a title, tags, a summary or the like of the conversation.
pub fn is_about_conversation(text: &str) -> bool {
    let text = text[..text.floor_char_boundary(BEGINNING)].to_lowercase();
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    let begins = |it: &str| {
        let it = it.trim().trim_start_matches(['#', '*', ' ']);
        ORDERS.iter().any(|order| it.starts_with(order))
    };
    let is_order = text.starts_with("### task")
        || text.split(['\n', '.', ':', ',']).any(begins)
        || has(&ROLES);
    is_order && has(&CONVERSATION) && has(&WANTED)
}

/// Whether a message is phrased as a question.
pub fn is_question(text: &str) -> bool {
    let first = text.split("\n\n").next().unwrap_or(text);
    let asks = words(first).next().is_some_and(|it| ASKING.contains(&it.as_str()));
    first.contains(['?', '？']) || asks
}

/// Words that nearly every English question has one of.
const ENGLISH: [&str; 24] = [
    "how", "what", "where", "which", "why", "who", "when", "does", "do", "did", "is", "are", "the",
    "of", "to", "and", "for", "can", "it", "this", "that", "a", "not", "with",
];

/// Whether a question seems to be in another language than English.
pub fn is_in_another_language(text: &str) -> bool {
    let is_marked =
        text.contains(['?', '？']) || text.chars().any(|it| it.is_alphabetic() && !it.is_ascii());
    let words: Vec<String> = words(text).collect();
    let is_short = text.is_ascii() && words.len() < 3;
    is_marked && !is_short && !words.iter().any(|it| ENGLISH.contains(&it.as_str()))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesies_are_told_from_questions() {
        for text in
            ["hi", "Thanks!", "ok, thank you so much for the help", "Guten Morgen", "👍", "谢谢！"]
        {
            assert!(is_courtesy(text), "{text}");
        }
        for text in [
            "redis cache",
            "good first issues",
            "who calls it?",
            "is it on?",
            "hi, where is Stock?",
        ] {
            assert!(!is_courtesy(text), "{text}");
        }
    }

    #[test]
    fn questions_in_other_languages_are_told_from_english_ones() {
        for text in ["Und wer ruft das auf?", "¿Dónde se usa?", "どこで使われていますか"]
        {
            assert!(is_in_another_language(text), "{text}");
        }
        for text in
            ["how are GraphQL subscriptions sent?", "kafka consumer offsets", "redis cache?"]
        {
            assert!(!is_in_another_language(text), "{text}");
        }
    }

    #[test]
    fn requests_about_the_conversation_are_told_from_questions_about_code() {
        for text in [
            "Generate a title for this conversation",
            "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.",
            "You are a helpful assistant. Summarize the conversation above in five words, as a title.",
            "Provide a concise, 5-word-or-less title for the conversation, using its language.",
        ] {
            assert!(is_about_conversation(text), "{text}");
        }
        for text in [
            "how is the title of a conversation made?",
            "where are chat tags stored?",
            "generate a test",
        ] {
            assert!(!is_about_conversation(text), "{text}");
        }
    }
}
